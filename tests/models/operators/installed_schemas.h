// The tensor operations that the installed libtorch has registered, and calls of them with made-up
// arguments. For tests that compare the table with the framework.

#ifndef TESTS_MODELS_OPERATORS_INSTALLED_SCHEMAS_H_
#define TESTS_MODELS_OPERATORS_INSTALLED_SCHEMAS_H_

#include <ATen/ATen.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace placecheck::models {

using InstalledOperator = std::shared_ptr<torch::jit::Operator>;

// Those of namespace aten that take or return tensors, outside of dictionaries.
std::vector<InstalledOperator> installed_operators();

// "add", without namespace.
std::string plain_name(const c10::FunctionSchema& schema);

bool is_tensor(const c10::Argument& argument);
bool is_tensor_list(const c10::Argument& argument);
bool is_written(const c10::Argument& argument);
bool has_out(const c10::FunctionSchema& schema);

// Gives the tensor for an argument, by the count of tensors given before.
using TensorSource = std::function<at::Tensor(std::size_t)>;

// Calls with defaults where there are some and plain values elsewhere. Empty where the schema asks
// for what cannot be made up, or where the call failed; `error` then tells how.
std::optional<std::vector<c10::IValue>> call(const InstalledOperator& operation,
                                             const TensorSource& tensors, std::string* error);

}  // namespace placecheck::models

#endif  // TESTS_MODELS_OPERATORS_INSTALLED_SCHEMAS_H_
