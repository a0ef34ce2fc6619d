// How a tensor is to be made: element type, device, whether it requires a gradient. A small value.
#ifndef PLACECHECK_RUNTIME_TENSOR_OPTIONS_H_
#define PLACECHECK_RUNTIME_TENSOR_OPTIONS_H_

#include "runtime/core/device.h"
#include "runtime/core/dtype.h"

namespace placecheck::runtime {

class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : dtype_(dtype) {}
  TensorOptions(const Device& device) : device_(device) {}
  TensorOptions(DeviceType type) : device_(type) {}

  TensorOptions dtype(ScalarType dtype) const {
    TensorOptions result = *this;
    result.dtype_ = dtype;
    return result;
  }
  TensorOptions device(const Device& device) const {
    TensorOptions result = *this;
    result.device_ = device;
    return result;
  }
  TensorOptions requires_grad(bool requires_grad) const {
    TensorOptions result = *this;
    result.requires_grad_ = requires_grad;
    return result;
  }
  TensorOptions pinned_memory(bool pinned) const {
    TensorOptions result = *this;
    result.pinned_memory_ = pinned;
    return result;
  }

  ScalarType dtype() const { return dtype_; }
  const Device& device() const { return device_; }
  bool requires_grad() const { return requires_grad_; }
  bool pinned_memory() const { return pinned_memory_; }

 private:
  ScalarType dtype_ = kFloat;
  Device device_ = kCPU;
  bool requires_grad_ = false;
  bool pinned_memory_ = false;
};

inline TensorOptions dtype(ScalarType type) { return TensorOptions(type); }
inline TensorOptions device(const Device& where) { return TensorOptions(where); }
inline TensorOptions requires_grad(bool required = true) {
  return TensorOptions().requires_grad(required);
}

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_OPTIONS_H_
