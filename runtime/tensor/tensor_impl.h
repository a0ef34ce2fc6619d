// What a Tensor is a handle to. For operations and autograd; programs use Tensor.
#ifndef PLACECHECK_RUNTIME_TENSOR_TENSOR_IMPL_H_
#define PLACECHECK_RUNTIME_TENSOR_TENSOR_IMPL_H_

#include <cstdint>
#include <memory>

#include "runtime/core/dtype.h"
#include "runtime/core/shape.h"
#include "runtime/tensor/storage.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime {

struct TensorImpl {
  std::shared_ptr<Storage> storage;
  std::int64_t offset = 0;  // in elements
  Shape sizes;
  Shape strides;
  std::int64_t numel = 0;
  ScalarType dtype = kFloat;
  bool is_contiguous = true;
  bool is_view = false;

  bool requires_grad = false;  // of a leaf; others have a grad_fn
  Tensor grad;
  std::shared_ptr<autograd::Node> grad_fn;
  std::uint32_t output_number = 0;
  std::weak_ptr<autograd::Node> accumulator;
};

// A tensor over `storage`, outside of the graph.
Tensor make_view(const Tensor& of, const Shape& sizes, const Shape& strides, std::int64_t offset);

// Uninitialised and contiguous. `device` may lack an index.
Tensor make_tensor(const Shape& sizes, ScalarType dtype, const Device& device,
                   bool is_pinned = false);

// Records a write in place: what gradient formulas saved of this storage is no longer what it was.
void bump_version(const Tensor& tensor);
std::uint32_t version_of(const Tensor& tensor);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_TENSOR_IMPL_H_
