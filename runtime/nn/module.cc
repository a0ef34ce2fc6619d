#include "runtime/nn/module.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_set>

#include "runtime/autograd/grad_mode.h"
#include "runtime/core/check.h"
#include "runtime/core/warning.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime::nn {
namespace {

using TensorsOf = const OrderedDict<Tensor>& (Module::*)() const;

std::string demangled(const char* mangled) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(text.get()) : std::string(mangled);
}

// "ns::DataParallel<ns::NetImpl>" is a DataParallel, "ns::NetImpl" a Net.
std::string class_name(std::string type) {
  type = type.substr(0, type.find('<'));
  if (std::size_t colon = type.rfind("::"); colon != std::string::npos) type.erase(0, colon + 2);
  if (type.size() > 4 && type.ends_with("Impl")) type.resize(type.size() - 4);
  return type;
}

void check_name(const char* kind, const std::string& name, bool is_taken) {
  check(!name.empty(), kind, " name must not be empty");
  check(name.find('.') == std::string::npos, kind, " name must not contain a dot (got '", name,
        "')");
  check(!is_taken, kind, " '", name, "' already defined");
}

void collect(const Module& module, const std::string& prefix, bool recurse, TensorsOf tensors_of,
             OrderedDict<Tensor>& into) {
  for (const auto& item : (module.*tensors_of)()) {
    if (item.value().defined()) into.insert(prefix + item.key(), item.value());
  }
  if (!recurse) return;
  for (const auto& item : module.own_children()) {
    collect(*item.value().module, prefix + item.key() + ".", recurse, tensors_of, into);
  }
}

// In the order of collect(), but each tensor once, and without putting names together.
class Distinct {
 public:
  void collect(const Module& module, bool recurse, TensorsOf tensors_of) {
    for (const auto& item : (module.*tensors_of)()) {
      const Tensor& tensor = item.value();
      if (!tensor.defined() || !seen_.insert(tensor.impl_ptr().get()).second) continue;
      tensors_.push_back(tensor);
    }
    if (!recurse) return;
    for (const auto& item : module.own_children()) {
      collect(*item.value().module, recurse, tensors_of);
    }
  }
  std::vector<Tensor> take() { return std::move(tensors_); }

 private:
  std::vector<Tensor> tensors_;
  std::unordered_set<const TensorImpl*> seen_;
};

std::vector<Tensor> each_once(const Module& module, bool recurse, TensorsOf tensors_of) {
  Distinct distinct;
  distinct.collect(module, recurse, tensors_of);
  return distinct.take();
}

// libtorch's texts, of Cloneable::clone().
template <typename Value>
void check_registered(const char* kind, const OrderedDict<Value>& original,
                      const OrderedDict<Value>& clone) {
  bool is_equal = original.size() == clone.size();
  for (const auto& item : original) is_equal = is_equal && clone.contains(item.key());
  check(is_equal, "The cloned module does not have the same number of ", kind,
        "s as the original module after calling reset(). Are you sure you called register_", kind,
        "() inside reset() and not the constructor?");
}

void take_tensors(const char* kind, const OrderedDict<Tensor>& original,
                  OrderedDict<Tensor>& clone) {
  check_registered(kind, original, clone);
  for (auto& item : clone) {
    Tensor replica = original[item.key()];
    if (item.value().defined() && replica.defined()) {
      // The members of the clone are handles of the same tensor.
      item.value().impl() = replica.impl();
    } else {
      item.value() = replica;
    }
  }
}

}  // namespace

Module::Module(const Module& other)
    : std::enable_shared_from_this<Module>(other),
      name_(other.name_),
      parameters_(other.parameters_),
      buffers_(other.buffers_),
      children_(other.children_),
      is_training_(other.is_training_) {
  const ReplicaScope* scope = ReplicaScope::active();
  if (scope == nullptr) return;
  is_replica_ = true;
  for (auto& item : children_) item.value().module = scope->translated(item.value().module);
}

void Module::forget_registered() {
  parameters_ = {};
  buffers_ = {};
  children_ = {};
}

void Module::take_replicated_state(const Module& original) {
  is_training_ = original.is_training_;
  is_replica_ = true;
  take_tensors("parameter", original.parameters_, parameters_);
  take_tensors("buffer", original.buffers_, buffers_);
  check_registered("module", original.children_, children_);
  for (auto& item : children_) {
    item.value().module->take_replicated_state(*original.children_[item.key()].module);
  }
}

void Module::refuse_to_copy(const Module& module) {
  throw Error(
      text_of(module.name(),
              " cannot be replicated, as it cannot be copied: a member such as a std::mutex "
              "or a std::unique_ptr has no copy. Give the class a copy constructor"));
}

std::string Module::name() const {
  return name_.empty() ? class_name(demangled(typeid(*this).name())) : name_;
}

OrderedDict<Tensor> Module::named_parameters(bool recurse) const {
  OrderedDict<Tensor> result;
  collect(*this, "", recurse, &Module::own_parameters, result);
  return result;
}

OrderedDict<Tensor> Module::named_buffers(bool recurse) const {
  OrderedDict<Tensor> result;
  collect(*this, "", recurse, &Module::own_buffers, result);
  return result;
}

std::vector<Tensor> Module::parameters(bool recurse) const {
  return each_once(*this, recurse, &Module::own_parameters);
}
std::vector<Tensor> Module::buffers(bool recurse) const {
  return each_once(*this, recurse, &Module::own_buffers);
}

std::vector<std::shared_ptr<Module>> Module::children() const {
  std::vector<std::shared_ptr<Module>> result;
  for (const auto& item : children_) result.push_back(item.value().module);
  return result;
}

OrderedDict<std::shared_ptr<Module>> Module::named_children() const {
  OrderedDict<std::shared_ptr<Module>> result;
  for (const auto& item : children_) result.insert(item.key(), item.value().module);
  return result;
}

void Module::for_each_tensor(const std::function<void(Tensor&)>& visit) {
  for (auto& item : parameters_) {
    if (item.value().defined()) visit(item.value());
  }
  for (auto& item : buffers_) {
    if (item.value().defined()) visit(item.value());
  }
}

void Module::to(const Device& device, bool non_blocking) {
  NoGradGuard no_grad;
  for (auto& item : children_) item.value().module->to(device, non_blocking);
  for_each_tensor([&](Tensor& tensor) {
    tensor.set_data(tensor.to(device, non_blocking));
    // libtorch leaves gradients behind, and the optimizer's next step fails; Python moves them.
    if (tensor.grad().defined()) tensor.mutable_grad() = tensor.grad().to(device, non_blocking);
  });
}

void Module::to(ScalarType dtype) {
  check<TypeError>(is_floating(dtype),
                   "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                   "dtype=",
                   row_of(dtype).python_name);
  NoGradGuard no_grad;
  for (auto& item : children_) item.value().module->to(dtype);
  for_each_tensor([&](Tensor& tensor) {
    if (!is_floating(tensor.dtype())) return;
    tensor.set_data(tensor.to(dtype));
    if (tensor.grad().defined()) tensor.mutable_grad() = tensor.grad().to(dtype);
  });
}

void Module::train(bool on) {
  is_training_ = on;
  for (auto& item : children_) item.value().module->train(on);
}

void Module::zero_grad() {
  if (is_replica_) {
    warn(
        "Calling .zero_grad() from a module created with nn.DataParallel() has no effect. The "
        "parameters are copied (in a differentiable manner) from the original module. This means "
        "they are not leaf nodes in autograd and so don't accumulate gradients. If you need "
        "gradients in your forward method, consider using autograd.grad instead.");
  }
  for (const Tensor& parameter : parameters()) parameter.zero_grad();
}

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check_name("Parameter", name, parameters_.contains(name));
  if (tensor.defined()) tensor.requires_grad_(requires_grad);
  return parameters_.insert(std::move(name), std::move(tensor));
}

Tensor& Module::register_buffer(std::string name, Tensor tensor) {
  check_name("Buffer", name, buffers_.contains(name));
  return buffers_.insert(std::move(name), std::move(tensor));
}

void Module::add_child(std::string name, std::shared_ptr<Module> module, ModuleCopier copy) {
  check_name("Submodule", name, children_.contains(name));
  check(module != nullptr, "Submodule '", name, "' is not defined");
  children_.insert(std::move(name), Child{std::move(module), copy});
}

}  // namespace placecheck::runtime::nn
