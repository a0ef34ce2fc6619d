// Two-dimensional convolution, as a product over unfolded windows, and maximum pooling.
#include "runtime/tensor/kernels/conv.h"

#include "rules/device_mismatch.h"
#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/matrix.h"
#include "runtime/tensor/op_rows.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

using autograd::is_recorded;
using autograd::Pass;
using autograd::record;
using autograd::Saved;

std::string types_differ(const Tensor& input, std::string_view what, const Tensor& other) {
  std::string text = text_of("Input type (", input.type_name(), ") and ", what, " type (",
                             other.type_name(), ") should be the same");
  if (!input.is_cpu()) return text;
  return text_of(text, " or input should be a MKLDNN tensor and ", what, " is a dense tensor");
}

// Convolutions compare kinds of tensors before any device check: what they say of a CPU input is
// about oneDNN.
void check_kinds(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  namespace rule = rules::device_mismatch;
  if (kOpChecks == nullptr) return;
  if (input.is_cpu() != weight.is_cpu()) {
    throw RuleError(rule::kRule,
                    rule::convolution_message(input.device().str(), weight.device().str()));
  }
  if (!bias.defined() || input.is_cpu() == bias.is_cpu()) return;
  throw RuleError(rule::kRule, types_differ(input, "bias", bias));
}

// Nor do they convert one type to the other.
void check_types(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  if (bias.defined()) {
    check(bias.dtype() == input.dtype(), "Input type (", row_of(input.dtype()).c_name,
          ") and bias type (", row_of(bias.dtype()).c_name, ") should be the same");
  }
  if (weight.dtype() != input.dtype()) throw Error(types_differ(input, "weight", weight));
}

kernels::Window window_of(const Tensor& input, const Tensor& weight, const Conv2dShape& shape) {
  kernels::Window window{.channels = input.size(1),
                         .height = input.size(2),
                         .width = input.size(3),
                         .kernel_height = weight.size(2),
                         .kernel_width = weight.size(3),
                         .stride_height = shape.stride[0],
                         .stride_width = shape.stride[1],
                         .padding_height = shape.padding[0],
                         .padding_width = shape.padding[1],
                         .out_height = 0,
                         .out_width = 0};
  std::int64_t high = window.height + 2 * window.padding_height;
  std::int64_t wide = window.width + 2 * window.padding_width;
  check(high >= window.kernel_height && wide >= window.kernel_width,
        "Calculated padded input size per channel: (", high, " x ", wide, "). Kernel size: (",
        window.kernel_height, " x ", window.kernel_width,
        "). Kernel size can't be greater than actual input size");
  window.out_height = (high - window.kernel_height) / window.stride_height + 1;
  window.out_width = (wide - window.kernel_width) / window.stride_width + 1;
  return window;
}

void check_sizes(const Tensor& input, const Tensor& weight) {
  check(input.dim() == 4,
        "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input "
        "of size: ",
        input.sizes());
  check(input.size(1) == weight.size(1), "Given groups=1, weight of size ", weight.sizes(),
        ", expected input", input.sizes(), " to have ", weight.size(1), " channels, but got ",
        input.size(1), " channels instead");
}

void check_shape(const Conv2dShape& shape) {
  check(shape.padding[0] >= 0 && shape.padding[1] >= 0, "negative padding is not supported");
  check(shape.stride[0] > 0 && shape.stride[1] > 0, "non-positive stride is not supported");
}

std::int64_t rows_of(const kernels::Window& w) {
  return w.channels * w.kernel_height * w.kernel_width;
}
std::int64_t columns_of(const kernels::Window& w) { return w.out_height * w.out_width; }

Tensor matrix(const Tensor& tensor) { return tensor.flatten(1); }

Tensor unfolded(const Tensor& image, const kernels::Window& window) {
  Tensor columns =
      make_tensor({rows_of(window), columns_of(window)}, image.dtype(), image.device());
  dispatch_storable(image.dtype(), "conv2d", [&]<typename T>(T) {
    kernels::Unfold<T> kernel{columns.data_ptr<T>(), image.data_ptr<T>(), window};
    run_kernel(image.device(), columns.numel(), kernel, {&columns, &image});
  });
  return columns;
}

void fold_into(const Tensor& image, const Tensor& columns, const kernels::Window& window) {
  dispatch_floating(image.dtype(), "conv2d_backward", [&]<typename T>(T) {
    kernels::FoldSum<T> kernel{image.data_ptr<T>(), columns.data_ptr<T>(), window};
    run_kernel(image.device(), image.numel(), kernel, {&image, &columns});
  });
}

// Gradients that are sums over windows or images are, of halves, float's: the graph rounds them
// once.
Tensor input_gradient(const Tensor& grad, const Tensor& weight, const Shape& sizes,
                      const kernels::Window& window) {
  ScalarType type = compute_type(grad.dtype());
  Tensor result = make_tensor(sizes, type, grad.device());
  Tensor columns = make_tensor({rows_of(window), columns_of(window)}, type, grad.device());
  Tensor by_window = matrix(weight).t();
  for (std::int64_t n = 0; n < sizes[0]; ++n) {
    multiply_into(columns, by_window, matrix(grad[n]));
    fold_into(result[n], columns, window);
  }
  return result;
}

Tensor weight_gradient(const Tensor& grad, const Tensor& input, const Tensor& weight,
                       const kernels::Window& window) {
  Tensor result = make_tensor(weight.sizes(), compute_type(grad.dtype()), grad.device());
  Tensor rows = matrix(result);
  if (input.size(0) == 0) result.zero_();
  for (std::int64_t n = 0; n < input.size(0); ++n) {
    multiply_into(rows, matrix(grad[n]), unfolded(input[n], window).t(), n == 0 ? 0 : 1);
  }
  return result;
}

Tensor bias_gradient(const Tensor& grad) {
  return grad.to(compute_type(grad.dtype())).flatten(2).sum(2).sum(0);
}

}  // namespace

Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias,
              const Conv2dShape& shape) {
  check_kinds(input, weight, bias);
  check_types(input, weight, bias);
  check_operands(rows::kConvolution, {&input, &weight});
  check_shape(shape);
  check_sizes(input, weight);
  Tensor in = input.detach().contiguous();
  Tensor by_window = matrix(weight.detach().contiguous());
  kernels::Window window = window_of(in, weight, shape);
  Tensor out = make_tensor({in.size(0), weight.size(0), window.out_height, window.out_width},
                           in.dtype(), common_device({&input, &weight}));
  if (bias.defined()) {
    NoGradGuard no_grad;
    check_operands(rows::kAdd, {&out, &bias});
    out.copy_(bias.view({1, -1, 1, 1}));
  }
  for (std::int64_t n = 0; n < in.size(0); ++n) {
    multiply_into(matrix(out[n]), by_window, unfolded(in[n], window), bias.defined() ? 1 : 0);
  }
  if (is_recorded(input, weight, bias)) {
    record("ConvolutionBackward0", {out}, {input, weight, bias},
           [in = Saved::input(input), by = Saved::input(weight), window](Pass& pass) {
             NoGradGuard no_grad;
             Tensor grad = pass.grad().contiguous();
             Tensor input = in.get(pass).detach().contiguous();
             Tensor weight = by.get(pass).detach().contiguous();
             if (pass.needs(0)) pass.give(0, input_gradient(grad, weight, input.sizes(), window));
             if (pass.needs(1)) pass.give(1, weight_gradient(grad, input, weight, window));
             if (pass.needs(2)) pass.give(2, bias_gradient(grad));
           });
  }
  return out;
}

Tensor max_pool2d(const Tensor& input, std::int64_t kernel) {
  check(input.dim() == 4, "non-empty 4D tensor expected for input to max_pool2d, got ",
        input.sizes());
  check(kernel > 0, "kernel size should be greater than zero, but got kH: ", kernel,
        " kW: ", kernel);
  Tensor in = input.contiguous();
  Shape sizes = in.sizes();
  sizes[2] /= kernel;
  sizes[3] /= kernel;
  check(sizes[2] > 0 && sizes[3] > 0, "max_pool2d: the output size is too small for input ",
        in.sizes());
  Tensor out = make_tensor(sizes, in.dtype(), in.device());
  Tensor position = make_tensor(sizes, kLong, in.device());
  dispatch_storable(in.dtype(), "max_pool2d", [&]<typename T>(T) {
    kernels::MaxPool<T> pool{out.data_ptr<T>(), position.data_ptr<std::int64_t>(),
                             in.data_ptr<T>(),  in.size(2),
                             in.size(3),        kernel};
    run_kernel(in.device(), out.numel(), pool, {&out, &position, &in});
  });
  if (is_recorded(input)) {
    record("MaxPool2DWithIndicesBackward0", {out}, {input},
           [position, sizes = in.sizes()](Pass& pass) {
             Tensor grad = pass.grad().contiguous();
             Tensor result = zeros(sizes, grad.options());
             dispatch_storable(grad.dtype(), "max_pool2d_backward", [&]<typename T>(T) {
               kernels::MaxPoolGrad<T> spread{result.data_ptr<T>(), grad.data_ptr<T>(),
                                              position.data_ptr<std::int64_t>()};
               run_kernel(grad.device(), grad.numel(), spread, {&result, &grad, &position});
             });
             pass.give(0, result);
           });
  }
  return out;
}

}  // namespace placecheck::runtime
