#include "runtime/torch/virtual_cuda/cuda_limits.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/torch/virtual_cuda/cuda_error.h"

namespace placecheck::virtual_cuda {
namespace {

using c10::IValue;
using Arguments = at::ArrayRef<IValue>;

// Names of operators are without namespace, overload and the `_` of in-place forms.
struct NamedText {
  std::string_view name;
  const char* text;
};

template <std::size_t N>
const char* find_text(const NamedText (&table)[N], std::string_view name) {
  const auto* found = std::ranges::lower_bound(table, name, {}, &NamedText::name);
  return found != std::end(table) && found->name == name ? found->text : nullptr;
}

std::string_view base_name(const c10::OperatorHandle& op) {
  std::string_view name = op.operator_name().name;
  name.remove_prefix(std::string_view("aten::").size());
  if (name.ends_with('_')) name.remove_suffix(1);
  return name;
}

// Products that are left to cuBLAS, which has none of integers; what the refusal calls them.
constexpr NamedText kProducts[] = {
    {"addmm", "addmm_cuda"},
    {"addmv", "addmv_impl_cuda"},
    {"baddbmm", "baddbmm_cuda"},
    {"bmm", "baddbmm_cuda"},
    {"dot", "dot"},
    {"mm", "addmm_cuda"},
    {"vdot", "vdot"},
};
static_assert(std::ranges::is_sorted(kProducts, {}, &NamedText::name));

void refuse_integers(const c10::OperatorHandle& op, Arguments arguments) {
  if (!arguments[0].isTensor() || !arguments[0].toTensor().defined()) return;
  const at::Tensor& first = arguments[0].toTensor();
  if (!at::isIntegralType(first.scalar_type(), /*includeBool=*/true) || first.numel() == 0) return;
  TORCH_CHECK_NOT_IMPLEMENTED(false, '"', find_text(kProducts, base_name(op)),
                              "\" not implemented for '", c10::toString(first.scalar_type()), "'");
}

// The dispatcher's text.
void refuse_missing_kernel(const c10::OperatorHandle& op, Arguments /*arguments*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, "Could not run '", op.operator_name(),
      "' with arguments from the 'CUDA' backend. This could be because the operator doesn't exist "
      "for this backend, or was omitted during the selective/custom build process (if using custom "
      "build).");
}

// Kernels of CUDA whose results depend on the order of additions; the CPU's do not.
constexpr NamedText kNondeterministic[] = {
    {"_adaptive_avg_pool2d_backward", "adaptive_avg_pool2d_backward_cuda"},
    {"_adaptive_avg_pool3d_backward", "adaptive_avg_pool3d_backward_cuda"},
    {"_ctc_loss_backward", "ctc_loss_backward_gpu"},
    {"adaptive_max_pool2d_backward", "adaptive_max_pool2d_backward_cuda"},
    {"avg_pool3d_backward", "avg_pool3d_backward_cuda"},
    {"fractional_max_pool2d_backward", "fractional_max_pool2d_backward_cuda"},
    {"fractional_max_pool3d_backward", "fractional_max_pool3d_backward_cuda"},
    {"grid_sampler_2d_backward", "grid_sampler_2d_backward_cuda"},
    {"grid_sampler_3d_backward", "grid_sampler_3d_backward_cuda"},
    {"nll_loss2d_forward", "nll_loss2d_forward_out_cuda_template"},
    {"reflection_pad1d_backward", "reflection_pad1d_backward_out_cuda"},
    {"reflection_pad3d_backward", "reflection_pad3d_backward_out_cuda"},
    {"upsample_bicubic2d_backward", "upsample_bicubic2d_backward_out_cuda"},
    {"upsample_bilinear2d_backward", "upsample_bilinear2d_backward_out_cuda"},
    {"upsample_linear1d_backward", "upsample_linear1d_backward_out_cuda"},
    {"upsample_trilinear3d_backward", "upsample_trilinear3d_backward_out_cuda"},
};
static_assert(std::ranges::is_sorted(kNondeterministic, {}, &NamedText::name));

void alert_nondeterministic(const c10::OperatorHandle& op, Arguments /*arguments*/) {
  at::globalContext().alertNotDeterministic(find_text(kNondeterministic, base_name(op)));
}

void alert_histogram(const c10::OperatorHandle& /*op*/, Arguments arguments) {
  if (!at::isFloatingType(arguments[0].toTensor().scalar_type())) return;
  at::globalContext().alertNotDeterministic("_histc_cuda with floating point input");
}

void alert_weighted_count(const c10::OperatorHandle& /*op*/, Arguments arguments) {
  if (!arguments[1].isTensor() || !arguments[1].toTensor().defined()) return;
  at::globalContext().alertNotDeterministic("_bincount_cuda");
}

void alert_median_with_index(const c10::OperatorHandle& op, Arguments /*arguments*/) {
  if (!op.operator_name().overload_name.starts_with("dim")) return;
  at::globalContext().alertNotDeterministic("median CUDA with indices output");
}

// What cuFFT transforms: the sizes of the signal along the dimensions given.
std::vector<std::int64_t> signal_sizes(std::string_view name, Arguments arguments) {
  const at::Tensor& self = arguments[0].toTensor();
  std::vector<std::int64_t> sizes;
  for (const std::int64_t dimension : arguments[1].toIntVector()) {
    sizes.push_back(self.size(dimension));
  }
  const bool has_half_of_last = name == "_fft_c2r" && !sizes.empty();
  if (has_half_of_last) sizes.back() = arguments[3].toInt();
  return sizes;
}

void check_half_signal(const c10::OperatorHandle& op, Arguments arguments) {
  const at::ScalarType type = arguments[0].toTensor().scalar_type();
  if (type != at::kHalf && type != at::kComplexHalf) return;
  const std::vector<std::int64_t> sizes = signal_sizes(base_name(op), arguments);
  const bool are_powers =
      std::ranges::all_of(sizes, [](std::int64_t size) { return (size & (size - 1)) == 0; });
  TORCH_CHECK(are_powers,
              "cuFFT only supports dimensions whose sizes are powers of two when computing in half "
              "precision, but got a signal size of",
              c10::IntArrayRef(sizes));
}

// ATen/native/BatchLinearAlgebra.cpp, get_default_lstsq_driver.
void check_least_squares_driver(const c10::OperatorHandle& /*op*/, Arguments arguments) {
  if (!arguments[3].isString()) return;
  std::string driver = arguments[3].toStringRef();
  std::ranges::transform(driver, driver.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  TORCH_CHECK(driver == "gels",
              "torch.linalg.lstsq: `driver` other than `gels` is not supported on CUDA");
}

struct NamedCheck {
  std::string_view name;
  CudaLimits::Check check;
};

constexpr NamedCheck kChecks[] = {
    {"_fft_c2c", &check_half_signal},
    {"_fft_c2r", &check_half_signal},
    {"_fft_r2c", &check_half_signal},
    {"_histogramdd_bin_edges", &refuse_missing_kernel},
    {"_histogramdd_from_bin_cts", &refuse_missing_kernel},
    {"_histogramdd_from_bin_tensors", &refuse_missing_kernel},
    {"bincount", &alert_weighted_count},
    {"histc", &alert_histogram},
    {"histogram", &refuse_missing_kernel},
    {"linalg_lstsq", &check_least_squares_driver},
    {"median", &alert_median_with_index},
    {"nanmedian", &alert_median_with_index},
};
static_assert(std::ranges::is_sorted(kChecks, {}, &NamedCheck::name));

CudaLimits::Check find_check(std::string_view name) {
  if (find_text(kProducts, name) != nullptr) return &refuse_integers;
  if (find_text(kNondeterministic, name) != nullptr) return &alert_nondeterministic;
  const auto* found = std::ranges::lower_bound(kChecks, name, {}, &NamedCheck::name);
  return found != std::end(kChecks) && found->name == name ? found->check : nullptr;
}

// Kernels that look at values of their operands on the GPU, where no exception can be raised, and
// the CPU's text of it. An empty text: it is about an index.
constexpr NamedText kAssertions[] = {
    {"_embedding_bag", ""},
    {"_embedding_bag_forward_only", ""},
    {"_index_put_impl", ""},
    {"bernoulli", "Expected p_in >= 0 && p_in <= 1"},
    {"binary_cross_entropy", "all elements of input should be between 0 and 1"},
    {"gather", ""},
    {"index", ""},
    {"index_add", ""},
    {"index_copy", ""},
    {"index_fill", ""},
    {"index_reduce", ""},
    {"index_select", ""},
    {"masked_scatter", "Number of elements of source < number of ones in mask"},
    {"multi_margin_loss", ""},
    {"multinomial", "invalid multinomial distribution ("},
    {"nll_loss2d_forward", ""},
    {"nll_loss_forward", ""},
    {"put", ""},
    {"scatter", ""},
    {"scatter_add", ""},
    {"scatter_reduce", ""},
    {"take", ""},
};
static_assert(std::ranges::is_sorted(kAssertions, {}, &NamedText::name));

// Whether it is about the value of an index, not about a dimension that the host knows.
bool is_about_index(std::string_view text) {
  if (text.starts_with("Dimension")) return false;
  return text.find("out of bounds") != std::string_view::npos ||
         text.find("out of range") != std::string_view::npos;
}

bool is_assertion(std::string_view text, std::string_view expected) {
  if (expected.empty()) return is_about_index(text);
  return text.find(expected) != std::string_view::npos;
}

}  // namespace

CudaLimits::CudaLimits(const c10::OperatorHandle& op) {
  if (!op.operator_name().name.starts_with("aten::")) return;
  const std::string_view name = base_name(op);
  check_ = find_check(name);
  assertion_ = find_text(kAssertions, name);
}

void CudaLimits::rethrow_as_assertion(const c10::OperatorHandle& op,
                                      const c10::Error& error) const {
  if (assertion_ == nullptr) return;
  const std::string text = error.what_without_backtrace();
  if (!is_assertion(text, assertion_)) return;
  throw_cuda_error(kDeviceAssertion,
                   cuda_error_text("CUDA error: device-side assert triggered") +
                       "\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions."
                       "\nplacecheck: the kernel of " +
                       op.operator_name().name + " asserts its operands: " + text);
}

}  // namespace placecheck::virtual_cuda
