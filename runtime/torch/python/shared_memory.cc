// Tensors that several processes share: an operator by which Python (placecheck/sharing.py) puts a
// device's storage into memory of the host that PyTorch shares.
#include <ATen/ATen.h>
#include <torch/library.h>

#include <utility>

#include "runtime/torch/virtual_cuda/memory.h"

namespace placecheck {
namespace {

// `tensor` and `host` are ones on the two storages.
void use_memory_of(const at::Tensor& tensor, const at::Tensor& host) {
  c10::Storage adopted = virtual_cuda::adopt(c10::Storage(host.storage()), tensor.device());
  c10::StorageImpl& storage = *tensor.storage().unsafeGetStorageImpl();
  storage.set_nbytes(adopted.nbytes());
  storage.set_data_ptr_noswap(adopted.set_data_ptr(c10::DataPtr()));
}

}  // namespace
}  // namespace placecheck

TORCH_LIBRARY_FRAGMENT(placecheck, library) {
  library.def("use_memory_of(Tensor tensor, Tensor host) -> ()", &placecheck::use_memory_of);
}
