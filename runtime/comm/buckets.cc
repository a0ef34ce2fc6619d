#include "runtime/comm/buckets.h"

#include <map>

#include "runtime/core/shape.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime::comm {

std::vector<Bucket> make_buckets(const TensorList& tensors, std::size_t buffer_bytes) {
  struct Open {
    Bucket bucket;
    std::size_t bytes = 0;
  };
  std::map<ScalarType, Open> open;
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].defined()) continue;
    Open& current = open[tensors[i].dtype()];
    current.bucket.push_back(i);
    current.bytes += static_cast<std::size_t>(tensors[i].numel()) * size_of(tensors[i].dtype());
    if (current.bytes >= buffer_bytes) {
      buckets.push_back(std::move(current.bucket));
      current = {};
    }
  }
  for (auto& [type, rest] : open) {
    if (!rest.bucket.empty()) buckets.push_back(std::move(rest.bucket));
  }
  return buckets;
}

Tensor flattened(const TensorList& tensors, const Bucket& bucket) {
  TensorList parts;
  for (std::size_t i : bucket) parts.push_back(tensors[i].detach().reshape({-1}));
  return parts.size() == 1 ? parts[0] : cat(parts);
}

void unflatten(const Tensor& flat, const TensorList& like, const Bucket& bucket, TensorList& into) {
  std::int64_t start = 0;
  for (std::size_t i : bucket) {
    const Shape& sizes = like[i].sizes();
    Tensor piece = make_view(flat, sizes, contiguous_strides(sizes), flat.impl().offset + start);
    piece.impl().is_view = false;
    into[i] = piece;
    start += piece.numel();
  }
}

}  // namespace placecheck::runtime::comm
