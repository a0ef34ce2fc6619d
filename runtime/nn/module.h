// Module: the base of everything that has parameters, as in libtorch.
//
//   struct NetImpl : nn::Module {
//     NetImpl() : fc(register_module("fc", nn::Linear(4, 2))) {}
//     Tensor forward(const Tensor& x) { return fc(x); }
//     nn::Linear fc;
//   };
//   PLACECHECK_MODULE(Net);
//
// Ownership: a module owns its tensors and shares its children. A copy made while a ReplicaScope is
// active is a replica; else a copy shares tensors and children with the original. A module that
// holds children by std::shared_ptr, or cannot be copied, is replicated as a Cloneable
// (cloneable.h). Threads: one at a time. Errors: core::Error with libtorch's texts;
// load_state_dict's are PyTorch's.
#ifndef PLACECHECK_RUNTIME_NN_MODULE_H_
#define PLACECHECK_RUNTIME_NN_MODULE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "runtime/core/ordered_dict.h"
#include "runtime/nn/holder.h"
#include "runtime/nn/state_dict.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::nn {

class Module;

// A copy of the module's own class; null where the static type was not the module's own. Throws for
// a class that cannot be copied.
using ModuleCopier = std::shared_ptr<Module> (*)(const Module& module);

class Module : public std::enable_shared_from_this<Module> {
 public:
  struct Child {
    std::shared_ptr<Module> module;
    ModuleCopier copy;
  };

  Module() = default;
  explicit Module(std::string name) : name_(std::move(name)) {}
  Module(const Module& other);
  Module& operator=(const Module&) = delete;
  virtual ~Module() = default;

  // The class, without namespaces and without "Impl", unless the constructor was given a name.
  std::string name() const;

  // Tensors by name, parents first, in the order of registration. The short forms give each tensor
  // once, however often it is registered.
  OrderedDict<Tensor> named_parameters(bool recurse = true) const;
  OrderedDict<Tensor> named_buffers(bool recurse = true) const;
  std::vector<Tensor> parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  OrderedDict<std::shared_ptr<Module>> named_children() const;
  // This module's own, for those who walk modules themselves.
  const OrderedDict<Tensor>& own_parameters() const { return parameters_; }
  const OrderedDict<Tensor>& own_buffers() const { return buffers_; }
  const OrderedDict<Child>& own_children() const { return children_; }

  // In place: the tensors stay the same objects.
  virtual void to(const Device& device, bool non_blocking = false);
  virtual void to(ScalarType dtype);
  void to(const Device& device, ScalarType dtype, bool non_blocking = false) {
    to(dtype);
    to(device, non_blocking);
  }
  void to(DeviceType type) { to(Device(type)); }
  void cuda(DeviceIndex index = -1) { to(Device(kCUDA, index)); }
  void cpu() { to(Device(kCPU)); }

  virtual void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const { return is_training_; }
  void zero_grad();

  StateDict state_dict() const;
  // Copies values in; devices, types and gradients' flags stay. Throws for keys that are missing or
  // unexpected if `strict`, and for sizes that differ in any case; what matches is loaded all the
  // same, as PyTorch does.
  IncompatibleKeys load_state_dict(const StateDict& state_dict, bool strict = true);
  // The version of the class's state, as Python's BatchNorm has it.
  virtual std::optional<std::int64_t> state_version() const { return std::nullopt; }
  // Called before loading: may complete an older state.
  virtual void upgrade_state(StateDict& state_dict, const std::string& prefix,
                             std::optional<std::int64_t> version) const;

  // Whether a replica registers its tensors and children anew, as a Cloneable's does, rather than
  // by copying the members that hold them.
  virtual bool is_cloned_by_reset() const { return false; }

  bool is_replica() const { return is_replica_; }
  void mark_as_replica() { is_replica_ = true; }

  // The module as its own class; null where it is of another.
  template <typename Type>
  std::remove_reference_t<ContainedType<Type>>* as() {
    return dynamic_cast<ContainedType<Type>*>(this);
  }

 protected:
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
  template <typename Type>
  std::shared_ptr<Type> register_module(std::string name, std::shared_ptr<Type> module) {
    add_child(std::move(name), module, &copy_as<Type>);
    return module;
  }
  template <typename Holder>
    requires IsHolder<Holder>
  Holder register_module(std::string name, Holder holder) {
    add_child(std::move(name), holder.ptr(), &copy_as<ContainedType<Holder>>);
    return holder;
  }

 public:
  // How a module whose static type is known is copied.
  template <typename Type>
  static std::shared_ptr<Module> copy_as(const Module& module) {
    if (typeid(module) != typeid(Type)) return nullptr;
    const Type& original = static_cast<const Type&>(module);
    if constexpr (requires { original.clone_by_reset(); }) {
      return original.clone_by_reset();
    } else if constexpr (std::is_copy_constructible_v<Type>) {
      return std::make_shared<Type>(original);
    } else {
      refuse_to_copy(module);
    }
  }

 protected:
  void forget_registered();
  // Makes the registered tensors, and the children's, what those of `original` are in the active
  // ReplicaScope. Throws where the two have registered different names.
  void take_replicated_state(const Module& original);

 private:
  [[noreturn]] static void refuse_to_copy(const Module& module);
  void add_child(std::string name, std::shared_ptr<Module> module, ModuleCopier copy);
  void for_each_tensor(const std::function<void(Tensor&)>& visit);

  std::string name_;
  OrderedDict<Tensor> parameters_;
  OrderedDict<Tensor> buffers_;
  OrderedDict<Child> children_;
  bool is_training_ = true;
  bool is_replica_ = false;
};

}  // namespace placecheck::runtime::nn

// A holder Name for a module class NameImpl.
// NOLINTBEGIN(bugprone-macro-parentheses): a class's name takes none.
#define PLACECHECK_MODULE(Name)                                              \
  class Name : public ::placecheck::runtime::nn::ModuleHolder<Name##Impl> {  \
   public:                                                                   \
    using ::placecheck::runtime::nn::ModuleHolder<Name##Impl>::ModuleHolder; \
    using Impl = Name##Impl;                                                 \
  }
// NOLINTEND(bugprone-macro-parentheses)

#endif  // PLACECHECK_RUNTIME_NN_MODULE_H_
