// What takes tensors, as operators that Python calls as torch.ops.placecheck.*: the communication
// between the devices of one process, and the memory of a storage.
//
// Composites: autograd, and dispatch modes, see the operators of ATen that they are made of.
#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "runtime/torch/python/communication.h"

namespace placecheck {
namespace {

using communication::Tensors;

// One list of all devices' tensors, a device after the other.
Tensors broadcast_coalesced(at::TensorList tensors, at::IntArrayRef devices) {
  Tensors all;
  for (Tensors& copies : communication::broadcast_coalesced(tensors, devices)) {
    std::ranges::move(copies, std::back_inserter(all));
  }
  return all;
}

Tensors scatter(const at::Tensor& tensor, at::IntArrayRef devices,
                c10::optional<at::IntArrayRef> chunk_sizes, std::int64_t dim) {
  std::optional<at::IntArrayRef> sizes;
  if (chunk_sizes) sizes = *chunk_sizes;
  return communication::scatter(tensor, devices, sizes, dim);
}

at::Tensor gather(at::TensorList tensors, std::int64_t dim,
                  c10::optional<std::int64_t> destination) {
  std::optional<std::int64_t> index;
  if (destination) index = *destination;
  return communication::gather(tensors, dim, index);
}

// torch.UntypedStorage.resize_ of a device's storage, as at::native::resize_bytes_cuda does it: new
// memory with as much of the old contents as there is room for. `tensor` is one on the storage.
void resize_storage(const at::Tensor& tensor, std::int64_t bytes) {
  c10::StorageImpl& storage = *tensor.storage().unsafeGetStorageImpl();
  TORCH_CHECK(storage.resizable(), "Trying to resize storage that is not resizable");
  TORCH_CHECK(storage.allocator() != nullptr, "Trying to resize storage without an allocator");
  const c10::DeviceGuard guard(tensor.device());
  const auto size = static_cast<std::size_t>(bytes);
  c10::DataPtr data = storage.allocator()->allocate(size);
  if (const std::size_t kept = std::min(size, storage.nbytes()); kept != 0) {
    std::memcpy(data.get(), tensor.storage().data_ptr().get(), kept);
  }
  storage.set_data_ptr_noswap(std::move(data));
  storage.set_nbytes(size);
}

}  // namespace
}  // namespace placecheck

TORCH_LIBRARY_FRAGMENT(placecheck, library) {
  namespace communication = placecheck::communication;
  library.def("broadcast(Tensor tensor, int[] devices) -> Tensor[]", &communication::broadcast);
  library.def("broadcast_out(Tensor tensor, Tensor[] outputs) -> ()",
              &communication::broadcast_out);
  library.def("broadcast_coalesced(Tensor[] tensors, int[] devices) -> Tensor[]",
              &placecheck::broadcast_coalesced);
  library.def("scatter(Tensor tensor, int[] devices, int[]? chunk_sizes, int dim) -> Tensor[]",
              &placecheck::scatter);
  library.def("scatter_out(Tensor tensor, Tensor[] outputs, int dim) -> ()",
              &communication::scatter_out);
  library.def("gather(Tensor[] tensors, int dim, int? destination) -> Tensor", &placecheck::gather);
  library.def("gather_out(Tensor[] tensors, Tensor output, int dim) -> ()",
              &communication::gather_out);
  library.def("nccl_broadcast(Tensor[] tensors, int root) -> ()", &communication::nccl_broadcast);
  library.def("nccl_all_reduce(Tensor[] inputs, Tensor[] outputs, int reduction) -> ()",
              &communication::nccl_all_reduce);
  library.def("nccl_reduce(Tensor[] inputs, Tensor output, int reduction) -> ()",
              &communication::nccl_reduce);
  library.def("nccl_all_gather(Tensor[] inputs, Tensor[] outputs) -> ()",
              &communication::nccl_all_gather);
  library.def("nccl_reduce_scatter(Tensor[] inputs, Tensor[] outputs, int reduction) -> ()",
              &communication::nccl_reduce_scatter);
  library.def("resize_storage(Tensor tensor, int bytes) -> ()", &placecheck::resize_storage);
}
