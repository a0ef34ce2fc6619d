// ModuleHolder: a module as a value that shares it, as in libtorch. Copying one while a
// ReplicaScope is active yields the replica's module.
#ifndef PLACECHECK_RUNTIME_NN_HOLDER_H_
#define PLACECHECK_RUNTIME_NN_HOLDER_H_

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "runtime/core/check.h"
#include "runtime/tensor/replica_scope.h"

namespace placecheck::runtime::nn {

class Module;

template <typename Contained>
class ModuleHolder {
 public:
  using ContainedModule = Contained;

  ModuleHolder() : impl_(std::make_shared<Contained>()) {}
  ModuleHolder(std::nullptr_t) {}
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}
  template <typename First, typename... Rest>
    requires(!std::is_base_of_v<ModuleHolder, std::remove_cvref_t<First>> &&
             std::is_constructible_v<Contained, First, Rest...>)
  explicit ModuleHolder(First&& first, Rest&&... rest)
      : impl_(
            std::make_shared<Contained>(std::forward<First>(first), std::forward<Rest>(rest)...)) {}

  ModuleHolder(const ModuleHolder& other)
      : impl_(ReplicaScope::active() == nullptr ? other.impl_ : replica_of(other.impl_)) {}
  ModuleHolder(ModuleHolder&&) noexcept = default;
  ModuleHolder& operator=(const ModuleHolder&) = default;
  ModuleHolder& operator=(ModuleHolder&&) noexcept = default;
  ~ModuleHolder() = default;

  const std::shared_ptr<Contained>& ptr() const {
    check(impl_ != nullptr, "Accessing empty ModuleHolder");
    return impl_;
  }
  Contained* get() const { return ptr().get(); }
  Contained* operator->() const { return get(); }
  Contained& operator*() const { return *get(); }
  bool is_empty() const { return impl_ == nullptr; }

  template <typename... Arguments>
  decltype(auto) operator()(Arguments&&... arguments) const {
    return get()->forward(std::forward<Arguments>(arguments)...);
  }

 private:
  // Scopes know modules as Modules, which need not be a class's first base.
  static std::shared_ptr<Contained> replica_of(const std::shared_ptr<Contained>& module) {
    std::shared_ptr<Module> base = module;
    return std::static_pointer_cast<Contained>(ReplicaScope::active()->translated(base));
  }

  std::shared_ptr<Contained> impl_;
};

// The module class behind a holder, or the class itself.
namespace detail {
template <typename Type, typename = void>
struct Contained {
  using Type_ = Type;
  static constexpr bool kIsHolder = false;
};
template <typename Holder>
struct Contained<Holder, std::void_t<typename Holder::ContainedModule>> {
  using Type_ = typename Holder::ContainedModule;
  static constexpr bool kIsHolder = true;
};
}  // namespace detail

template <typename Type>
using ContainedType = typename detail::Contained<Type>::Type_;
template <typename Type>
concept IsHolder = detail::Contained<Type>::kIsHolder;

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_NN_HOLDER_H_
