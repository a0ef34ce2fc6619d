// A module's replicas: a copy on each device, of the module's own class, whose registered tensors
// and children are copies, too. State that is not registered stays shared with the original.
#ifndef PLACECHECK_RUNTIME_PARALLEL_REPLICATE_H_
#define PLACECHECK_RUNTIME_PARALLEL_REPLICATE_H_

#include <memory>
#include <vector>

#include "runtime/comm/collectives.h"
#include "runtime/nn/module.h"
#include "runtime/parallel/functions.h"

namespace placecheck::runtime::nn {

// `copy` copies the module itself; children know their own classes. The module is on devices[0],
// whose replica shares its memory. Unless `detach`, gradients flow back to the module's parameters.
std::vector<std::shared_ptr<Module>> replicate_module(const Module& module, ModuleCopier copy,
                                                      const comm::DeviceList& devices, bool detach,
                                                      const Compat& compat = {});

template <typename Type>
std::vector<std::shared_ptr<Type>> replicate(const std::shared_ptr<Type>& module,
                                             const comm::DeviceList& devices, bool detach = false,
                                             const Compat& compat = {}) {
  std::vector<std::shared_ptr<Type>> replicas;
  for (auto& replica : replicate_module(*module, &Module::copy_as<Type>, devices, detach, compat)) {
    replicas.push_back(std::static_pointer_cast<Type>(std::move(replica)));
  }
  return replicas;
}

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_REPLICATE_H_
