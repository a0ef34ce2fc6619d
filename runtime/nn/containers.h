// Modules made of modules: Sequential, which runs them one after another, and ModuleList, which
// only keeps them.
#ifndef PLACECHECK_RUNTIME_NN_CONTAINERS_H_
#define PLACECHECK_RUNTIME_NN_CONTAINERS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/nn/module.h"

namespace placecheck::runtime::nn {

class SequentialImpl : public Module {
 public:
  SequentialImpl() = default;
  template <typename... Modules>
    requires(sizeof...(Modules) > 0 && (IsHolder<std::remove_cvref_t<Modules>> && ...))
  explicit SequentialImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }

  template <typename Holder>
  void push_back(Holder holder) {
    push_back(std::to_string(calls_.size()), std::move(holder));
  }
  template <typename Holder>
  void push_back(std::string name, Holder holder) {
    register_module(std::move(name), std::move(holder));
    calls_.push_back(&call<ContainedType<Holder>>);
  }

  Tensor forward(Tensor input) {
    std::size_t i = 0;
    for (const auto& item : own_children()) input = calls_[i++](*item.value().module, input);
    return input;
  }

  std::size_t size() const { return calls_.size(); }
  std::shared_ptr<Module> operator[](std::size_t i) const {
    return own_children().items().at(i).value().module;
  }

 private:
  // By position, so that a replica's calls reach the replica's children.
  using Call = Tensor (*)(Module& module, const Tensor& input);
  template <typename Type>
  static Tensor call(Module& module, const Tensor& input) {
    return static_cast<Type&>(module).forward(input);
  }

  std::vector<Call> calls_;
};
PLACECHECK_MODULE(Sequential);

class ModuleListImpl : public Module {
 public:
  ModuleListImpl() = default;

  template <typename Holder>
  void push_back(Holder holder) {
    register_module(std::to_string(size()), std::move(holder));
  }

  std::size_t size() const { return own_children().size(); }
  std::shared_ptr<Module> operator[](std::size_t i) const {
    return own_children().items().at(i).value().module;
  }
  // The i-th as its own class; throws for another.
  template <typename Type>
  ContainedType<Type>& at(std::size_t i) const {
    auto* module = (*this)[i]->template as<Type>();
    check(module != nullptr, "Unable to cast module[", i, "] to the class asked for");
    return *module;
  }
  std::vector<std::shared_ptr<Module>> modules() const { return children(); }
};
PLACECHECK_MODULE(ModuleList);

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_NN_CONTAINERS_H_
