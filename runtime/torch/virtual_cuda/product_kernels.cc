// Products of 16-bit floats whose result the caller wants in float: mm(a, b, out_dtype=float32).
// From ATen/native/cuda/Blas.cpp; only CUDA builds have them.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "runtime/torch/virtual_cuda/kernels.h"

namespace placecheck::virtual_cuda {
namespace {

using c10::IValue;

void check_type(at::ScalarType asked, at::ScalarType given) {
  const bool is_wider = asked == at::kFloat && (given == at::kHalf || given == at::kBFloat16);
  TORCH_CHECK(asked == given || is_wider,
              "out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs");
}

// The same product without the argument `out_dtype`, of factors in that type.
void multiply_in_asked_type(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto& schema = op.schema().arguments();
  std::vector<IValue> arguments = torch::jit::pop(*stack, schema.size());
  at::ScalarType asked = at::kFloat;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name() == "out_dtype") asked = arguments[i].toScalarType();
  }
  check_type(asked, arguments[0].toTensor().scalar_type());
  bool has_out = false;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const bool is_out = schema[i].name() == "out";
    has_out = has_out || is_out;
    if (schema[i].name() == "out_dtype") continue;
    if (arguments[i].isTensor() && !is_out) {
      stack->emplace_back(arguments[i].toTensor().to(asked));
    } else {
      stack->push_back(std::move(arguments[i]));
    }
  }
  c10::Dispatcher::singleton()
      .findSchemaOrThrow(op.operator_name().name.c_str(), has_out ? "out" : "")
      .callBoxed(stack);
}

}  // namespace

void add_product_kernels(torch::Library& library) {
  for (const std::string name : {"mm", "bmm", "addmm", "baddbmm"}) {
    for (const std::string overload : {"dtype", "dtype_out"}) {
      if (!c10::Dispatcher::singleton().findSchema({"aten::" + name, overload})) continue;
      library.impl((name + "." + overload).c_str(),
                   torch::CppFunction::makeFromBoxedFunction<&multiply_in_asked_type>());
    }
  }
}

}  // namespace placecheck::virtual_cuda
