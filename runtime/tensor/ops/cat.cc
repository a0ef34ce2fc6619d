// Joining tensors along a dimension.
#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/op_rows.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

void check_devices(const TensorList& tensors) {
  for (const Tensor& tensor : tensors) check_operands(rows::kCat, {&tensors[0], &tensor});
}

Shape joined_sizes(const TensorList& tensors, std::int64_t dim) {
  auto where = static_cast<std::size_t>(dim);
  Shape sizes = tensors[0].sizes();
  sizes[where] = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    Shape expected = tensors[i].sizes();
    check(expected.size() == sizes.size(), "Tensors must have same number of dimensions: got ",
          sizes.size(), " and ", expected.size());
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      check(d == where || expected[d] == sizes[d],
            "Sizes of tensors must match except in dimension ", dim, ". Expected size ", sizes[d],
            " but got size ", expected[d], " for tensor number ", i, " in the list.");
    }
    sizes[where] += expected[where];
  }
  return sizes;
}

}  // namespace

Tensor cat(const TensorList& tensors, std::int64_t dim) {
  check(!tensors.empty(), "torch.cat(): expected a non-empty list of Tensors");
  check(tensors[0].dim() > 0, "zero-dimensional tensor (at position 0) cannot be concatenated");
  check_devices(tensors);
  std::int64_t where = wrap_dim(dim, tensors[0].dim());
  Tensor out = make_tensor(joined_sizes(tensors, where), tensors[0].dtype(), tensors[0].device());
  std::vector<std::int64_t> lengths;
  std::int64_t start = 0;
  for (const Tensor& tensor : tensors) {
    NoGradGuard no_grad;
    lengths.push_back(tensor.size(where));
    out.narrow(where, start, lengths.back()).copy_(tensor);
    start += lengths.back();
  }
  if (autograd::is_recorded(tensors)) {
    autograd::record("CatBackward0", {out}, tensors, [where, lengths](autograd::Pass& pass) {
      TensorList parts = pass.grad().split_with_sizes(lengths, where);
      for (std::size_t i = 0; i < parts.size(); ++i) pass.give(i, parts[i]);
    });
  }
  return out;
}

Tensor stack(const TensorList& tensors, std::int64_t dim) {
  check(!tensors.empty(), "stack expects a non-empty TensorList");
  TensorList rows;
  for (const Tensor& tensor : tensors) {
    check(tensor.sizes() == tensors[0].sizes(),
          "stack expects each tensor to be equal size, but got ", tensors[0].sizes(),
          " at entry 0 and ", tensor.sizes(), " at entry ", rows.size());
    rows.push_back(tensor.unsqueeze(dim));
  }
  return cat(rows, dim);
}

}  // namespace placecheck::runtime
