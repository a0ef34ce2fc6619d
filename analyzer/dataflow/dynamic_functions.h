// torch.autograd.Function of Python: `apply` of a class that derives from it.
#pragma once

#include <optional>

#include "analyzer/dataflow/dynamic.h"

namespace placecheck::dataflow {

bool is_autograd_function(Activation& activation, const ir::Class& type);

// `Function.apply(...)`: `forward` runs now, `backward` where gradients are computed.
Exits apply_autograd_function(CallContext& context, const ir::Class& type, const Given& given);

// `Function.apply` as a value, of the class that `type` refers to.
Value autograd_apply(CallContext& context, const Value& type);
// Calls such a value; nothing for other objects.
std::optional<Exits> call_autograd_apply(CallContext& context, const Object& callee,
                                         const Given& given);

}  // namespace placecheck::dataflow
