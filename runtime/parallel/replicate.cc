#include "runtime/parallel/replicate.h"

#include "runtime/autograd/grad_mode.h"
#include "runtime/core/check.h"
#include "runtime/parallel/functions.h"
#include "runtime/tensor/replica_scope.h"

namespace placecheck::runtime::nn {
namespace {

struct State {
  TensorList tensors;
  std::vector<TensorList> copies;  // for every device
};

// All of a module's tensors and their copies. The first device's buffers are the module's own, so
// that what a forward writes into them stays.
State copied_state(const Module& module, const comm::DeviceList& devices, bool detach,
                   const Compat& compat) {
  TensorList differentiable;
  TensorList plain;
  for (const Tensor& parameter : module.parameters()) {
    (detach ? plain : differentiable).push_back(parameter);
  }
  for (const Tensor& buffer : module.buffers()) {
    (buffer.requires_grad() && !detach ? differentiable : plain).push_back(buffer);
  }
  State state{plain, comm::broadcast_coalesced(plain, devices)};
  if (differentiable.empty()) return state;
  std::vector<TensorList> copies = broadcast_tensors(differentiable, devices, compat);
  state.tensors.insert(state.tensors.end(), differentiable.begin(), differentiable.end());
  for (std::size_t d = 0; d < devices.size(); ++d) {
    state.copies[d].insert(state.copies[d].end(), copies[d].begin(), copies[d].end());
  }
  return state;
}

// Throws if a copy of the module made its children have more owners than `owners`: a member of the
// copy shares the original's child.
void check_no_child_is_shared(const Module& module, const std::vector<long>& owners) {
  std::size_t i = 0;
  for (const auto& item : module.own_children()) {
    const std::shared_ptr<Module>& child = item.value().module;
    bool has_state = !child->parameters().empty() || !child->buffers().empty();
    check(child.use_count() <= owners[i++] || !has_state, "the replica of ", module.name(),
          " would share its child '", item.key(),
          "' with the original, as a member holds it by std::shared_ptr. Hold it by its holder "
          "class, or derive the module from nn::Cloneable and register the child in reset()");
  }
}

std::vector<long> count_owners(const Module& module) {
  std::vector<long> owners;
  for (const auto& item : module.own_children()) owners.push_back(item.value().module.use_count());
  return owners;
}

// Children first, so that a parent's members find them; a child with two parents is copied once.
std::shared_ptr<Module> copy_tree(const Module& module, ModuleCopier copy, ReplicaScope& scope) {
  for (const auto& item : module.own_children()) {
    const Module::Child& child = item.value();
    if (module.is_cloned_by_reset() || scope.translated(child.module) != child.module) continue;
    scope.add(child.module.get(), copy_tree(*child.module, child.copy, scope));
  }
  ReplicaScope::Activation active(scope);
  std::vector<long> owners = count_owners(module);
  std::shared_ptr<Module> replica = copy(module);
  check(replica != nullptr, "clone() has not been implemented for ", module.name(),
        ". Register it, or wrap it, as its own class, so that it can be replicated.");
  check_no_child_is_shared(module, owners);
  return replica;
}

}  // namespace

std::vector<std::shared_ptr<Module>> replicate_module(const Module& module, ModuleCopier copy,
                                                      const comm::DeviceList& devices, bool detach,
                                                      const Compat& compat) {
  if (devices.empty()) return {};
  State state = copied_state(module, devices, detach, compat);
  std::vector<std::shared_ptr<Module>> replicas;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    ReplicaScope scope;
    for (std::size_t i = 0; i < state.tensors.size(); ++i) {
      scope.add(state.tensors[i], state.copies[d][i]);
    }
    replicas.push_back(copy_tree(module, copy, scope));
  }
  return replicas;
}

}  // namespace placecheck::runtime::nn
