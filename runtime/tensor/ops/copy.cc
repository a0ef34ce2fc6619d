// Moves, conversions and copies: between devices, types and layouts.
#include <cstring>

#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/kernels/elementwise.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

using autograd::is_recorded;
using autograd::Pass;
using autograd::record;

// Between layouts and types, on one device.
void convert(const Tensor& to, const Tensor& from) {
  dispatch_all(to.dtype(), "copy_", [&]<typename To>(To) {
    dispatch_all(from.dtype(), "copy_", [&]<typename From>(From) {
      kernels::Convert<To, From> kernel{to.data_ptr<To>(), from.data_ptr<From>(),
                                        kernels::strided(to.sizes(), to.strides()),
                                        kernels::strided(to.sizes(), from.strides())};
      run_kernel(to.device(), to.numel(), kernel, {&to, &from});
    });
  });
}

// The same bytes elsewhere; both are contiguous and of one type.
void transfer(const Tensor& to, const Tensor& from, bool non_blocking) {
  const Tensor& host = from.is_cpu() ? from : to;
  bool crosses = to.is_cpu() != from.is_cpu();
  Copy copy{.to = to.data_ptr(),
            .to_device = to.device(),
            .to_stream = stream_of(to.device()),
            .from = from.data_ptr(),
            .from_device = from.device(),
            .from_stream = stream_of(from.device()),
            .bytes = static_cast<std::size_t>(to.numel()) * size_of(to.dtype()),
            .is_asynchronous = non_blocking && crosses && host.is_pinned()};
  backend_of(common_device({&to, &from})).copy(copy);
}

void copy_values(const Tensor& to, const Tensor& from, bool non_blocking) {
  Tensor source = from.expand(to.sizes());
  bool is_dense = to.is_contiguous() && source.is_contiguous() && to.dtype() == source.dtype();
  if (is_dense) return transfer(to, source, non_blocking);
  if (to.device() == source.device()) return convert(to, source);
  // Made dense and of the right type where it lies, moved, and spread out where it is to be.
  Tensor dense = make_tensor(to.sizes(), to.dtype(), source.device());
  convert(dense, source);
  if (to.is_contiguous()) return transfer(to, dense, non_blocking);
  Tensor moved = make_tensor(to.sizes(), to.dtype(), to.device());
  transfer(moved, dense, non_blocking);
  convert(to, moved);
}

Tensor copy_of(const Tensor& from, const Device& device, ScalarType dtype, bool non_blocking) {
  Tensor out = make_tensor(from.sizes(), dtype, device);
  copy_values(out, from.detach(), non_blocking);
  return out;
}

// The gradient goes back to where, and what, the source is.
void record_copy(const char* name, const Tensor& out, const Tensor& from) {
  if (!is_recorded(from) || !is_floating(out.dtype())) return;
  record(name, {out}, {from}, [device = from.device(), dtype = from.dtype()](Pass& pass) {
    pass.give(0, pass.grad().to(device, dtype));
  });
}

}  // namespace

Tensor Tensor::to(const Device& device, ScalarType dtype, bool non_blocking) const {
  Device target = resolved(device);
  if (target == this->device() && dtype == this->dtype()) return *this;
  Tensor out = copy_of(*this, target, dtype, non_blocking);
  record_copy("ToCopyBackward0", out, *this);
  return out;
}

Tensor Tensor::to(const Device& device, bool non_blocking) const {
  return to(device, dtype(), non_blocking);
}
Tensor Tensor::to(DeviceType type, bool non_blocking) const {
  return to(Device(type), dtype(), non_blocking);
}
Tensor Tensor::to(ScalarType dtype) const { return to(device(), dtype); }

Tensor Tensor::clone() const {
  Tensor out = copy_of(*this, device(), dtype(), false);
  record_copy("CloneBackward0", out, *this);
  return out;
}

Tensor Tensor::contiguous() const { return is_contiguous() ? *this : clone(); }

Tensor Tensor::pin_memory() const {
  check(is_cpu(), "cannot pin '", type_name(), "' only dense CPU tensors can be pinned");
  if (is_pinned()) return *this;
  Tensor out = make_tensor(sizes(), dtype(), kCPU, true);
  copy_values(out, detach(), false);
  return out;
}

const Tensor& Tensor::copy_(const Tensor& source, bool non_blocking) const {
  bool recorded = is_recorded(*this, source);
  check(!(recorded && is_leaf() && requires_grad()),
        "a leaf Variable that requires grad is being used in an in-place operation.");
  copy_values(detach(), source.detach(), non_blocking);
  bump_version(*this);
  if (recorded) {
    auto expected = source.options();
    record("CopyBackwards", {*this}, {source}, [expected, sizes = source.sizes()](Pass& pass) {
      pass.give(0, sum_to(pass.grad(), sizes).to(expected.device(), expected.dtype()));
    });
  }
  return *this;
}

template <typename T>
T Tensor::item() const {
  check(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  Tensor host = detach().to(Device(kCPU), ScalarTypeOf<T>::kValue);
  return *host.data_ptr<T>();
}

template <typename T>
std::vector<T> Tensor::to_vector() const {
  Tensor host = detach().to(Device(kCPU), ScalarTypeOf<T>::kValue).contiguous();
  const T* data = host.data_ptr<T>();
  return std::vector<T>(data, data + host.numel());
}

template float Tensor::item() const;
template double Tensor::item() const;
template std::int64_t Tensor::item() const;
template bool Tensor::item() const;
template Half Tensor::item() const;
template std::vector<float> Tensor::to_vector() const;
template std::vector<double> Tensor::to_vector() const;
template std::vector<std::int64_t> Tensor::to_vector() const;
template std::vector<bool> Tensor::to_vector() const;

}  // namespace placecheck::runtime
