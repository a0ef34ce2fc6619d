// What moves between devices in data parallelism: broadcast, scatter, gather and reduce, on tensors
// of one process. Outside of the graph; parallel/ has the differentiable forms.
//
// The group that serves the devices moves and adds (device_group.h); where that is the copying one,
// sums are ((t0 + t1) + t2) + ... in the order of the list, so that runs repeat bit by bit.
// Threads: any. Errors: core::Error and its kinds, with the texts of torch.nn.parallel.comm.
#ifndef PLACECHECK_RUNTIME_COMM_COLLECTIVES_H_
#define PLACECHECK_RUNTIME_COMM_COLLECTIVES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/comm/device_group.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::comm {

// Small tensors travel together, in messages of about this size.
inline constexpr std::size_t kBufferBytes = 10485760;

// One copy for each device; the first that is the tensor's own gets the tensor itself.
TensorList broadcast(const Tensor& tensor, const DeviceList& devices);

// All tensors, which are on devices[0], for each device; devices[0] gets the tensors themselves.
std::vector<TensorList> broadcast_coalesced(const TensorList& tensors, const DeviceList& devices,
                                            std::size_t buffer_bytes = kBufferBytes);

// Pieces of `tensor` along `dim`: of the given sizes, or as chunk() makes them, when there may be
// fewer pieces than devices. A piece whose device holds the tensor already is a view of it.
TensorList scatter(const Tensor& tensor, const DeviceList& devices,
                   const std::optional<std::vector<std::int64_t>>& chunk_sizes = std::nullopt,
                   std::int64_t dim = 0);

// The tensors side by side along `dim`, on `destination`, or on the current CUDA device. Of 0-dim
// ones, a vector, with a warning.
Tensor gather(const TensorList& tensors, std::int64_t dim = 0,
              const std::optional<Device>& destination = std::nullopt);

// Their sum on `destination`, or on the current CUDA device, where one of them must be.
Tensor reduce_add(const TensorList& tensors,
                  const std::optional<Device>& destination = std::nullopt);

// For every position the sum over all lists, on `destination`. Undefined tensors count as absent: a
// position that is undefined in all lists is undefined in the result.
TensorList reduce_add_coalesced(const std::vector<TensorList>& lists,
                                const std::optional<Device>& destination = std::nullopt,
                                std::size_t buffer_bytes = kBufferBytes);

// Every tensor becomes the sum of all.
void all_reduce(const TensorList& tensors);

}  // namespace placecheck::runtime::comm

#endif  // PLACECHECK_RUNTIME_COMM_COLLECTIVES_H_
