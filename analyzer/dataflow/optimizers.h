// What optimizers keep: the parameters that they update, and where the state is that they hold for
// them. The names of their classes come from the front ends.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "analyzer/dataflow/call_context.h"

namespace placecheck::dataflow {

// The global that is set once gradients were computed; step() alone asks for it.
inline constexpr std::string_view kHasGradients = "<gradients were computed>";

// The global that is true once an optimizer was made that may update any module that was there.
inline constexpr std::string_view kOtherOptimizer = "<optimizer of other parameters>";

// Tells of each tensor that an optimizer is given, alone, in a list or in a group, and that is no
// leaf.
void note_non_leaves(CallContext& context, const Value& parameters, const ir::Range& range);

// Whether optimizers of that class ("Adam") keep tensors beside the parameters whatever their
// options are. SGD does with a momentum.
bool always_keeps_state(std::string_view class_name);

// Whether optimizers of that class put the gradients of all parameters into one tensor at each
// step, as LBFGS does in _gather_flat_grad() (torch/optim/lbfgs.py,
// torch/csrc/api/src/optim/lbfgs.cpp).
bool flattens_gradients(std::string_view class_name);
// What one of them was made with: the parameters of a module, or a list.
void set_flattened(CallContext& context, Object& optimizer, const Value& parameters);

// From here on `optimizer` is known to update, with such a state, all parameters of one module.
void set_updated(CallContext& context, Object& optimizer, const Value& parameters);
bool has_updated(CallContext& context, ObjectId optimizer);

// A module that is replaced behind an optimizer's back: `optimizer` updates what each of `lists`,
// parameters of modules, holds now. Where one is something else, it may update any module.
void set_optimized(CallContext& context, Object& optimizer, std::span<const Value> lists);
// The program says of a tensor that it needs no gradient: it may be one of any module that is
// there. A module that is made later is to be trained.
void note_frozen(CallContext& context);
// `child` is registered in the place of `replaced`, which an optimizer may update.
void note_replaced_child(CallContext& context, const Value& replaced, const Value& child);
// `copy` has parameters of its own, with the values of those of `original`. No optimizer updates
// them yet.
void note_copy(CallContext& context, ObjectId original, ObjectId copy);
// What a module keeps for this is not a part of its copies.
void forget_training(Object& copy, Names& names);
// A layer of a library is run.
void note_run(CallContext& context, ObjectId layer);
// The program gets hold of a module's tensors and may set their gradients itself.
void note_exposed(CallContext& context, ObjectId module);

// The state is made, or put, where the parameters are now.
void settle_state(CallContext& context, ObjectId optimizer);
// Where the state is; none where there is no state yet, or that is not known.
std::optional<Place> place_of_state(CallContext& context, ObjectId optimizer);
// The state is replaced by one on `device`, whose origin it takes over.
void load_state(CallContext& context, ObjectId optimizer, const Value& device);
// The program may move the state.
void forget_state(CallContext& context, ObjectId optimizer);

// Gradients are there from now on: an optimizer's first step makes its state.
void note_backward(CallContext& context);
void note_step(CallContext& context, ObjectId optimizer);

}  // namespace placecheck::dataflow
