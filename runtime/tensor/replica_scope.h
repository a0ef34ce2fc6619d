// How a module is copied for another device: while a scope is active on a thread, copying a handle
// of registered state (a tensor, a child module) yields its replica. A module's copy constructor
// thus makes a replica of it, whatever members it has; state that is not registered stays shared.
// Threads: a scope belongs to the thread that made it.
#ifndef PLACECHECK_RUNTIME_TENSOR_REPLICA_SCOPE_H_
#define PLACECHECK_RUNTIME_TENSOR_REPLICA_SCOPE_H_

#include <memory>
#include <unordered_map>

#include "runtime/tensor/tensor.h"

namespace placecheck::runtime {

class ReplicaScope {
 public:
  void add(const Tensor& original, const Tensor& replica) {
    tensors_[original.impl_ptr().get()] = replica.impl_ptr();
  }
  void add(const void* original_module, std::shared_ptr<void> replica) {
    modules_[original_module] = std::move(replica);
  }

  std::shared_ptr<TensorImpl> translated(const std::shared_ptr<TensorImpl>& impl) const {
    auto found = tensors_.find(impl.get());
    return found == tensors_.end() ? impl : found->second;
  }
  template <typename Module>
  std::shared_ptr<Module> translated(const std::shared_ptr<Module>& module) const {
    auto found = modules_.find(module.get());
    return found == modules_.end() ? module : std::static_pointer_cast<Module>(found->second);
  }

  // The active scope of this thread, or null.
  static const ReplicaScope* active() { return detail::replica_scope; }

  // Makes a scope active.
  class Activation {
   public:
    explicit Activation(ReplicaScope& scope) : previous_(detail::replica_scope) {
      detail::replica_scope = &scope;
    }
    ~Activation() { detail::replica_scope = previous_; }
    Activation(const Activation&) = delete;
    Activation& operator=(const Activation&) = delete;

   private:
    ReplicaScope* previous_;
  };

 private:
  std::unordered_map<const TensorImpl*, std::shared_ptr<TensorImpl>> tensors_;
  std::unordered_map<const void*, std::shared_ptr<void>> modules_;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_REPLICA_SCOPE_H_
