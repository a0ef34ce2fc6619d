// Many small tensors as few long ones: what coalesced communication sends.
#ifndef PLACECHECK_RUNTIME_COMM_BUCKETS_H_
#define PLACECHECK_RUNTIME_COMM_BUCKETS_H_

#include <cstddef>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::comm {

// Positions of tensors that travel together.
using Bucket = std::vector<std::size_t>;

// Tensors of one type stand together in their order. A bucket is closed once it holds
// `buffer_bytes`; a single tensor may be longer. Undefined tensors are in none.
std::vector<Bucket> make_buckets(const TensorList& tensors, std::size_t buffer_bytes);

// The bucket's tensors end to end; a single one is only flattened.
Tensor flattened(const TensorList& tensors, const Bucket& bucket);

// The other way: pieces with the sizes of `like`, each a tensor of its own right.
void unflatten(const Tensor& flat, const TensorList& like, const Bucket& bucket, TensorList& into);

}  // namespace placecheck::runtime::comm

#endif  // PLACECHECK_RUNTIME_COMM_BUCKETS_H_
