// New tensors: filled with a value, by chance, or with given values.
#include <cstring>

#include "runtime/backend/generator.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/kernels/elementwise.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

Tensor finished(Tensor tensor, const TensorOptions& options) {
  if (options.requires_grad()) tensor.requires_grad_();
  return tensor;
}

Tensor uniform(const Shape& sizes, double low, double high, const TensorOptions& options) {
  Tensor out = empty(sizes, options.requires_grad(false));
  RandomRange range = take_random(out.device(), out.numel());
  dispatch_numbers(out.dtype(), "uniform", [&]<typename T>(T) {
    kernels::Uniform<T> kernel{out.data_ptr<T>(), range.seed, range.first, low, high};
    run_kernel(out.device(), out.numel(), kernel, {&out});
  });
  return finished(out, options);
}

template <typename Value>
Tensor from_host(const std::vector<Value>& values, const TensorOptions& options) {
  Tensor host =
      make_tensor({static_cast<std::int64_t>(values.size())}, ScalarTypeOf<Value>::kValue, kCPU);
  if (!values.empty()) std::memcpy(host.data_ptr(), values.data(), values.size() * sizeof(Value));
  return finished(host.to(options.device(), options.dtype()), options);
}

}  // namespace

Tensor empty(const Shape& sizes, const TensorOptions& options) {
  for (std::int64_t size : sizes) {
    check(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  }
  return finished(make_tensor(sizes, options.dtype(), options.device(), options.pinned_memory()),
                  options);
}

Tensor full(const Shape& sizes, double value, const TensorOptions& options) {
  Tensor out = empty(sizes, options.requires_grad(false));
  out.fill_(value);
  return finished(out, options);
}

Tensor zeros(const Shape& sizes, const TensorOptions& options) { return full(sizes, 0, options); }
Tensor ones(const Shape& sizes, const TensorOptions& options) { return full(sizes, 1, options); }

Tensor rand(const Shape& sizes, const TensorOptions& options) {
  return uniform(sizes, 0, 1, options);
}

Tensor randint(std::int64_t low, std::int64_t high, const Shape& sizes,
               const TensorOptions& options) {
  check(low < high, "random_ expects 'from' to be less than 'to', but got from=", low,
        " >= to=", high);
  return uniform(sizes, static_cast<double>(low), static_cast<double>(high), options);
}

Tensor randn(const Shape& sizes, const TensorOptions& options) {
  Tensor out = empty(sizes, options.requires_grad(false));
  RandomRange range = take_random(out.device(), 2 * out.numel());
  dispatch_storable(out.dtype(), "normal", [&]<typename T>(T) {
    kernels::Normal<T> kernel{out.data_ptr<T>(), range.seed, range.first};
    run_kernel(out.device(), out.numel(), kernel, {&out});
  });
  return finished(out, options);
}

Tensor arange(std::int64_t end, const TensorOptions& options) {
  Tensor out = empty({end}, options.requires_grad(false));
  dispatch_numbers(out.dtype(), "arange", [&]<typename T>(T) {
    run_kernel(out.device(), end, kernels::Count<T>{out.data_ptr<T>()}, {&out});
  });
  return finished(out, options);
}

Tensor empty_like(const Tensor& like) { return empty(like.sizes(), like.options()); }
Tensor zeros_like(const Tensor& like) { return zeros(like.sizes(), like.options()); }
Tensor ones_like(const Tensor& like) { return ones(like.sizes(), like.options()); }
Tensor randn_like(const Tensor& like) { return randn(like.sizes(), like.options()); }

Tensor from_values(const std::vector<double>& values, const TensorOptions& options) {
  return from_host(values, options);
}
Tensor tensor(std::initializer_list<double> values, const TensorOptions& options) {
  return from_host(std::vector<double>(values), options);
}
Tensor tensor(const std::vector<float>& values, const TensorOptions& options) {
  return from_host(values, options);
}
Tensor tensor(const std::vector<std::int64_t>& values, const TensorOptions& options) {
  return from_host(values, options);
}
Tensor scalar_tensor(double value, const TensorOptions& options) {
  return full({}, value, options);
}

}  // namespace placecheck::runtime
