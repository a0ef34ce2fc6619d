// Tensor: a handle to a view of a storage and to its place in the graph of gradients.
//
// Ownership: handles share one TensorImpl; copying a handle copies no data. While a module is being
// replicated (ReplicaScope), copying a handle of its registered state yields the replica's tensor.
// Threads: one at a time for one tensor; different tensors at the same time. Errors: core::Error
// with PyTorch's texts. Operations on CUDA tensors return before they are done; what reads values
// waits.
#ifndef PLACECHECK_RUNTIME_TENSOR_TENSOR_H_
#define PLACECHECK_RUNTIME_TENSOR_TENSOR_H_

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/device.h"
#include "runtime/core/dtype.h"
#include "runtime/core/shape.h"
#include "runtime/tensor/options.h"

namespace placecheck::runtime {

class Storage;
class Tensor;
struct TensorImpl;
using TensorList = std::vector<Tensor>;

namespace autograd {
class Node;
}

// Set while handles are translated; see replica_scope.h.
class ReplicaScope;
namespace detail {
extern thread_local constinit ReplicaScope* replica_scope;
std::shared_ptr<TensorImpl> translated(const std::shared_ptr<TensorImpl>& impl);
}  // namespace detail

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(std::shared_ptr<TensorImpl> impl) : impl_(std::move(impl)) {}
  Tensor(const Tensor& other)
      : impl_(detail::replica_scope == nullptr ? other.impl_ : detail::translated(other.impl_)) {}
  Tensor(Tensor&& other) noexcept = default;
  Tensor& operator=(const Tensor& other) = default;
  Tensor& operator=(Tensor&& other) noexcept = default;
  ~Tensor() = default;

  // What it is.
  bool defined() const { return impl_ != nullptr; }
  TensorImpl& impl() const;  // throws for an undefined tensor
  const std::shared_ptr<TensorImpl>& impl_ptr() const { return impl_; }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }
  const Shape& sizes() const;
  const Shape& strides() const;
  std::int64_t size(std::int64_t dim) const;
  std::int64_t dim() const;
  std::int64_t numel() const;
  ScalarType dtype() const;
  ScalarType scalar_type() const { return dtype(); }
  TensorOptions options() const;
  Device device() const;
  bool is_cuda() const { return device().is_cuda(); }
  bool is_cpu() const { return device().is_cpu(); }
  DeviceIndex get_device() const { return device().index(); }
  bool is_contiguous() const;
  bool is_pinned() const;
  std::string type_name() const;  // "CUDAFloatType"

  // Its memory. Only the device may touch a CUDA tensor's.
  void* data_ptr() const;
  template <typename T>
  T* data_ptr() const {
    check_type(ScalarTypeOf<T>::kValue);
    return static_cast<T*>(data_ptr());
  }
  template <typename T>
  T item() const;
  // All elements, row by row; waits for the device.
  template <typename T>
  std::vector<T> to_vector() const;

  // Gradients.
  bool requires_grad() const;
  Tensor& requires_grad_(bool requires_grad = true);
  Tensor& set_requires_grad(bool requires_grad) { return requires_grad_(requires_grad); }
  bool is_leaf() const;
  std::shared_ptr<autograd::Node> grad_fn() const;
  const Tensor& grad() const;
  Tensor& mutable_grad() const;
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt,
                bool create_graph = false) const;
  Tensor detach() const;
  void set_data(const Tensor& data) const;
  void zero_grad() const;

  // Moves and conversions: this tensor itself where nothing changes.
  Tensor to(const Device& device, bool non_blocking = false) const;
  Tensor to(DeviceType type, bool non_blocking = false) const;
  Tensor to(ScalarType dtype) const;
  Tensor to(const Device& device, ScalarType dtype, bool non_blocking = false) const;
  Tensor cuda(DeviceIndex index = -1) const { return to(Device(kCUDA, index)); }
  Tensor cpu() const { return to(Device(kCPU)); }
  Tensor pin_memory() const;
  Tensor clone() const;
  Tensor contiguous() const;
  const Tensor& copy_(const Tensor& source, bool non_blocking = false) const;
  const Tensor& fill_(double value) const;
  const Tensor& zero_() const { return fill_(0); }

  // Views.
  Tensor view(const Shape& sizes) const;
  Tensor reshape(const Shape& sizes) const;
  Tensor flatten(std::int64_t start_dim = 0, std::int64_t end_dim = -1) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor squeeze(std::int64_t dim) const;
  Tensor transpose(std::int64_t a, std::int64_t b) const;
  Tensor t() const;
  Tensor permute(const Shape& dims) const;
  Tensor expand(const Shape& sizes) const;
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  std::vector<Tensor> split_with_sizes(const std::vector<std::int64_t>& sizes,
                                       std::int64_t dim = 0) const;
  std::vector<Tensor> chunk(std::int64_t chunks, std::int64_t dim = 0) const;

  // Arithmetic, element by element.
  Tensor add(const Tensor& other) const;
  Tensor sub(const Tensor& other) const;
  Tensor mul(const Tensor& other) const;
  Tensor div(const Tensor& other) const;
  Tensor add(double other) const;
  Tensor mul(double other) const;
  Tensor pow(double exponent) const;
  Tensor neg() const;
  Tensor exp() const;
  Tensor log() const;
  Tensor sqrt() const;
  Tensor abs() const;
  Tensor relu() const;
  Tensor sigmoid() const;
  Tensor tanh() const;
  Tensor eq(const Tensor& other) const;
  Tensor gt(double other) const;
  const Tensor& add_(const Tensor& other) const;
  const Tensor& sub_(const Tensor& other) const;
  const Tensor& mul_(const Tensor& other) const;
  const Tensor& div_(const Tensor& other) const;
  const Tensor& add_(double other) const;
  const Tensor& mul_(double other) const;
  const Tensor& operator+=(const Tensor& other) const { return add_(other); }
  const Tensor& operator-=(const Tensor& other) const { return sub_(other); }
  const Tensor& operator*=(double other) const { return mul_(other); }

  // Reductions and products.
  Tensor sum() const;
  Tensor sum(std::int64_t dim, bool keepdim = false) const;
  Tensor mean() const;
  Tensor mean(std::int64_t dim, bool keepdim = false) const;
  Tensor argmax(std::int64_t dim) const;
  Tensor mm(const Tensor& other) const;
  Tensor matmul(const Tensor& other) const { return mm(other); }
  Tensor softmax(std::int64_t dim) const;
  Tensor log_softmax(std::int64_t dim) const;

 private:
  void check_type(ScalarType type) const;

  std::shared_ptr<TensorImpl> impl_;
};

// Number, next to a tensor.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& a, double b);
Tensor operator-(const Tensor& a, double b);
Tensor operator*(const Tensor& a, double b);
Tensor operator/(const Tensor& a, double b);
Tensor operator+(double a, const Tensor& b);
Tensor operator-(double a, const Tensor& b);
Tensor operator*(double a, const Tensor& b);
Tensor operator/(double a, const Tensor& b);
Tensor operator-(const Tensor& a);

// Values, and the type and device behind them.
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_TENSOR_H_
