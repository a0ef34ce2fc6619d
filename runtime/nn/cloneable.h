// Cloneable: a module whose replicas register their tensors and children anew, as in libtorch. For
// modules that hold children by std::shared_ptr, which a copy would share with the original.
//
//   struct NetImpl : nn::Cloneable<NetImpl> {
//     NetImpl() { reset(); }
//     void reset() override {
//       fc = register_module("fc", std::make_shared<nn::LinearImpl>(4, 2));
//     }
//     std::shared_ptr<nn::LinearImpl> fc;
//   };
//
// Errors: replicating throws where reset() registers other names than the original has.
#ifndef PLACECHECK_RUNTIME_NN_CLONEABLE_H_
#define PLACECHECK_RUNTIME_NN_CLONEABLE_H_

#include <memory>

#include "runtime/nn/module.h"

namespace placecheck::runtime::nn {

template <typename Derived>
class Cloneable : public Module {
 public:
  using Module::Module;

  // Registers all parameters, buffers and children, with values that a replica overwrites.
  virtual void reset() = 0;

  bool is_cloned_by_reset() const final { return true; }

  // The replica of this module in the active ReplicaScope.
  std::shared_ptr<Module> clone_by_reset() const {
    auto clone = std::make_shared<Derived>(static_cast<const Derived&>(*this));
    clone->forget_registered();
    clone->reset();
    clone->take_replicated_state(*this);
    return clone;
  }
};

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_NN_CLONEABLE_H_
