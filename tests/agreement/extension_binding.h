// PYBIND11_MODULE and TORCH_LIBRARY for extensions that are called without Python: what they
// register is kept with the source it stands in, and can be called with arguments that are made by
// the types of its parameters.
#pragma once

#include <ATen/ATen.h>
#include <torch/library.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace placecheck::agreement {

// What a call is given. Tensors are counted from 0; -1 is none.
struct Form {
  at::DeviceIndex device = 0;
  int on_host = -1;  // is on the CPU instead
  std::vector<int64_t> sizes = {};
  at::ScalarType type = at::kFloat;
  int of_indices = -1;  // is of 64-bit integers instead
  int number = 1;       // every number and truth
};

class Arguments {
 public:
  explicit Arguments(const Form& form) : form_(form) {}

  template <typename T>
  T make() {
    if constexpr (std::is_same_v<T, at::Tensor>)
      return tensor();
    else if constexpr (std::is_same_v<T, std::string>)
      return "";
    else if constexpr (std::is_arithmetic_v<T>)
      return static_cast<T>(form_.number);
    else
      return make_of(static_cast<T*>(nullptr));
  }

  int tensors() const { return tensors_; }

 private:
  at::Tensor tensor();
  template <typename T>
  c10::optional<T> make_of(c10::optional<T>* /*type*/) {
    return make<T>();
  }
  template <typename T>
  std::vector<T> make_of(std::vector<T>* /*type*/) {
    return {make<T>(), make<T>()};
  }
  template <typename T>
  T make_of(T* /*type*/) {
    return {};
  }

  const Form& form_;
  int tensors_ = 0;  // made so far
};

struct Export {
  std::string name;
  const void* address = nullptr;         // null for a lambda
  std::function<int(const Form&)> call;  // how many tensors it was given
};

template <typename Result, typename... Parameters>
Export make_export(std::string name, const void* address,
                   std::function<Result(Parameters...)> function) {
  auto call = [function = std::move(function)](const Form& form) {
    Arguments arguments(form);
    std::tuple<std::decay_t<Parameters>...> made{arguments.make<std::decay_t<Parameters>>()...};
    std::apply([&](auto&... each) { function(static_cast<Parameters>(each)...); }, made);
    return arguments.tensors();
  };
  return {std::move(name), address, std::move(call)};
}

// What one source registers.
class Exports {
 public:
  template <typename Function, typename... Options>
  Exports& def(const std::string& name, Function function, const Options&... /*options*/) {
    if constexpr (std::is_pointer_v<Function>)
      add(name, reinterpret_cast<const void*>(function), function);
    else
      add(name, nullptr, std::move(function));
    return *this;
  }
  // A schema; what it stands for is given to impl().
  Exports& def(const std::string& /*schema*/) { return *this; }
  template <typename Function>
  Exports& impl(const std::string& name, Function function) {
    if constexpr (std::is_pointer_v<Function>)
      return def(name, function);
    else
      return def(name, Function::func_ptr());
  }
  Exports def_submodule(const char* /*name*/) { return Exports(*list_); }

  explicit Exports(std::vector<Export>& list) : list_(&list) {}

 private:
  template <typename Function>
  void add(const std::string& name, const void* address, Function function) {
    list_->push_back(make_export(name, address, std::function(std::move(function))));
  }

  std::vector<Export>* list_;
};

// While it is constructed, `bind` registers what `file` exports.
struct Registration {
  Registration(std::string_view file, void (*bind)(Exports&));
};
// Of the source whose path ends in `file`.
const std::vector<Export>& exports_of(const std::string& file);

}  // namespace placecheck::agreement

namespace pybind11 {
using module_ = placecheck::agreement::Exports;
using module = module_;
}  // namespace pybind11

#define PLACECHECK_EXPORTS_(line, variable)                                          \
  static void placecheck_bind_##line(::placecheck::agreement::Exports&);             \
  static const ::placecheck::agreement::Registration placecheck_registration_##line( \
      __FILE__, &placecheck_bind_##line);                                            \
  static void placecheck_bind_##line([[maybe_unused]] ::placecheck::agreement::Exports& variable)
#define PLACECHECK_EXPORTS(line, variable) PLACECHECK_EXPORTS_(line, variable)

#define PYBIND11_MODULE(name, variable) PLACECHECK_EXPORTS(__LINE__, variable)
#undef TORCH_LIBRARY
#define TORCH_LIBRARY(name, variable) PLACECHECK_EXPORTS(__LINE__, variable)
#undef TORCH_LIBRARY_IMPL
#define TORCH_LIBRARY_IMPL(name, key, variable) PLACECHECK_EXPORTS(__LINE__, variable)
