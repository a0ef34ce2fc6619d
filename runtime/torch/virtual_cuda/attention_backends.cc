// What scaled_dot_product_attention() asks of a device: which kernel to take. Devices here have the
// one that is put together of other operators. CUDA has several with conditions of their own
// (ATen/native/transformers/cuda/ sdp_utils.cpp); where the program allows only such whose
// conditions its tensors do not meet, it is told so.
#include "runtime/torch/virtual_cuda/kernels.h"
#include "runtime/torch/virtual_cuda/release.h"

#if PLACECHECK_TORCH_AT_LEAST(2, 5)

#include <ATen/Context.h>
#include <ATen/SDPBackend.h>
#include <ATen/native/transformers/attention.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace placecheck::virtual_cuda {
namespace {

using at::Tensor;
using Operands = std::array<const Tensor*, 3>;

constexpr std::int64_t kMostOfFlash = 256;

bool have_types(const Operands& operands, std::initializer_list<at::ScalarType> types) {
  return std::ranges::all_of(operands, [&](const Tensor* operand) {
    return std::ranges::find(types, operand->scalar_type()) != types.end();
  });
}

bool have_four_dimensions(const Operands& operands) {
  return std::ranges::all_of(operands, [](const Tensor* operand) { return operand->dim() == 4; });
}

bool fits_flash(const Operands& operands, const std::optional<Tensor>& mask) {
  const std::int64_t size = operands[0]->size(-1);
  return have_types(operands, {at::kHalf, at::kBFloat16}) && have_four_dimensions(operands) &&
         !mask.has_value() && size <= kMostOfFlash &&
         std::ranges::all_of(operands,
                             [&](const Tensor* operand) { return operand->size(-1) == size; });
}

bool fits_memory_efficient(const Operands& operands) {
  return have_types(operands, {at::kFloat, at::kHalf, at::kBFloat16}) &&
         have_four_dimensions(operands);
}

bool fits_cudnn(const Operands& operands) {
  return have_types(operands, {at::kHalf, at::kBFloat16}) && have_four_dimensions(operands);
}

std::string types_text(const Operands& operands) {
  std::string text;
  for (const Tensor* operand : operands) {
    text += (text.empty() ? "" : ", ") + std::string(c10::toString(operand->scalar_type()));
  }
  return text;
}

std::int64_t choose(const Tensor& query, const Tensor& key, const Tensor& value,
                    const std::optional<Tensor>& mask, double /*dropout*/, bool /*is_causal*/,
                    std::optional<double> /*scale*/, bool /*enable_gqa*/) {
  const auto& context = at::globalContext();
  const Operands operands{&query, &key, &value};
  const bool is_dense =
      std::ranges::none_of(operands, [](const Tensor* operand) { return operand->is_nested(); });
  if (!context.userEnabledMathSDP() && is_dense) {
    const bool flash = context.userEnabledFlashSDP();
    const bool efficient = context.userEnabledMemEfficientSDP();
    const bool cudnn = context.userEnabledCuDNNSDP();
    TORCH_CHECK(flash || efficient || cudnn,
                "No viable backend for scaled_dot_product_attention was found.");
    const bool fits = (flash && fits_flash(operands, mask)) ||
                      (efficient && fits_memory_efficient(operands)) ||
                      (cudnn && fits_cudnn(operands));
    TORCH_CHECK(
        fits,
        "No available kernel. Aborting execution.\nplacecheck: flash attention and cuDNN's take "
        "half and bfloat16, flash attention no mask and at most 256 features a head, the "
        "memory-efficient one float, half and bfloat16, all of them four dimensions; here are ",
        types_text(operands), " of ", query.sizes(), mask.has_value() ? " with a mask" : "");
  }
  return static_cast<std::int64_t>(at::SDPBackend::math);
}

}  // namespace

void add_attention_backends() { at::native::_fused_sdp_choice_stub.set_cuda_dispatch_ptr(&choose); }

}  // namespace placecheck::virtual_cuda

#else

namespace placecheck::virtual_cuda {

// Releases before 2.5 have no such choice that a device could make.
void add_attention_backends() {}

}  // namespace placecheck::virtual_cuda

#endif
