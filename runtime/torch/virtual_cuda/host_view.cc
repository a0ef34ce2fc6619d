#include "runtime/torch/virtual_cuda/host_view.h"

#include <ATen/core/DimVector.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/TensorImpl.h>

#include <utility>

#include "runtime/torch/virtual_cuda/memory.h"
#include "runtime/torch/virtual_cuda/nested_view.h"
#include "runtime/torch/virtual_cuda/sparse_view.h"

namespace placecheck::virtual_cuda {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;

// What a tensor's keys say about its values, not about its place.
constexpr DispatchKeySet kValueKeys({DispatchKey::Conjugate, DispatchKey::Negative,
                                     DispatchKey::ZeroTensor});

void check_is_plain(const at::Tensor& tensor) {
  TORCH_CHECK(tensor.layout() == c10::kStrided && !tensor.is_quantized(),
              "not supported on virtual GPUs: a tensor of ", tensor.toString());
}

// All of a tensor but its memory and its backend.
struct Form {
  explicit Form(const at::Tensor& tensor)
      : sizes(tensor.sizes()),
        strides(tensor.strides()),
        offset(tensor.storage_offset()),
        keys(tensor.key_set() & kValueKeys),
        dtype(tensor.dtype()) {}

  at::Tensor on(DispatchKey backend, c10::Storage&& storage) const {
    at::Tensor result = at::detail::make_tensor<c10::TensorImpl>(
        std::move(storage), DispatchKeySet(backend) | keys, dtype);
    result.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, offset);
    return result;
  }

  at::DimVector sizes;
  at::DimVector strides;
  std::int64_t offset;
  DispatchKeySet keys;
  caffe2::TypeMeta dtype;
};

bool has_shape_of(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.strides() == b.strides() &&
         a.storage_offset() == b.storage_offset();
}

}  // namespace

const HostView::StoragePair& HostView::host_storage_of(const c10::Storage& device) {
  for (const StoragePair& pair : storages_) {
    if (pair.device.unsafeGetStorageImpl() == device.unsafeGetStorageImpl()) return pair;
  }
  c10::Storage host = look_at(device);
  const c10::StorageImpl* impl = host.unsafeGetStorageImpl();
  const void* memory = host.data_ptr().get();
  storages_.push_back({device, impl, std::move(host), memory});
  return storages_.back();
}

at::Tensor HostView::to_host(const at::Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  for (const TensorPair& pair : tensors_) {
    if (pair.argument.is_same(tensor)) return pair.host;
  }
  if (!tensor.is_cuda()) {
    tensors_.push_back({tensor, tensor});
    return tensor;
  }
  if (is_sparse(tensor)) return sparse_to_host(tensor);
  check_is_plain(tensor);
  c10::Storage storage = host_storage_of(tensor.storage()).host_owner;
  at::Tensor host = is_nested(tensor) ? nested_with_storage(tensor, std::move(storage))
                                      : Form(tensor).on(DispatchKey::CPU, std::move(storage));
  tensors_.push_back({tensor, host});
  return host;
}

at::Tensor HostView::sparse_to_host(const at::Tensor& tensor) {
  at::Tensor host =
      with_parts(tensor, c10::kCPU, [this](const at::Tensor& part) { return to_host(part); });
  tensors_.push_back({tensor, host});
  return host;
}

at::Tensor HostView::sparse_to_device(const at::Tensor& result, c10::Device device) {
  return with_parts(result, device, [this, device](const at::Tensor& part) {
    return to_device(at::Tensor(part), device);
  });
}

// Only where the kernel exchanged a part: others may use the tensor at the same time.
void HostView::write_back_sparse(const TensorPair& pair) {
  const SparseParts now = parts_of(pair.host);
  const SparseParts before = parts_of(pair.argument);
  bool is_same = has_same_form(pair.host, pair.argument);
  for (std::size_t i = 0; is_same && i < now.size(); ++i) {
    is_same = to_host(before[i]).is_same(now[i]);
  }
  if (is_same) return;
  const c10::Device device = pair.argument.device();
  take_parts(pair.argument, pair.host, [this, device](const at::Tensor& part) {
    return to_device(at::Tensor(part), device);
  });
}

void HostView::write_back_storage(const TensorPair& pair) {
  const c10::StorageImpl* now = pair.host.storage().unsafeGetStorageImpl();
  const c10::StorageImpl* before = host_storage_of(pair.argument.storage()).host;
  if (now == before) return;
  pair.argument.unsafeGetTensorImpl()->set_storage_keep_dtype(
      device_storage_of(c10::Storage(pair.host.storage()), pair.argument.device()));
}

void HostView::write_back() {
  for (StoragePair& pair : storages_) {
    // A kernel that resizes gives its storage memory of its own.
    if (pair.host_owner.data_ptr().get() == pair.memory) continue;
    const std::size_t bytes = pair.host_owner.nbytes();
    const c10::Device device = pair.device.device();
    c10::StorageImpl& storage = *pair.device.unsafeGetStorageImpl();
    void* memory = pair.host_owner.data_ptr().get();
    c10::DataPtr grown = pair.host_owner.set_data_ptr(c10::DataPtr(memory, c10::kCPU));
    storage.set_data_ptr_noswap(adopt(std::move(grown), bytes, device));
    storage.set_nbytes(bytes);
  }
  // What is written back for a sparse tensor may add to the list.
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const TensorPair pair = tensors_[i];
    if (pair.host.is_same(pair.argument)) continue;
    if (is_sparse(pair.argument)) {
      write_back_sparse(pair);
      continue;
    }
    write_back_storage(pair);
    if (is_nested(pair.argument) || has_shape_of(pair.host, pair.argument)) continue;
    pair.argument.unsafeGetTensorImpl()->set_sizes_and_strides(
        pair.host.sizes(), pair.host.strides(), pair.host.storage_offset());
  }
}

c10::Storage HostView::device_storage_of(c10::Storage&& host, c10::Device device) {
  const c10::StorageImpl* impl = host.unsafeGetStorageImpl();
  for (const StoragePair& pair : storages_) {
    if (pair.host == impl) return pair.device;
  }
  const bool is_shared = host.use_count() > 1;
  c10::Storage adopted = adopt(std::move(host), device);
  if (is_shared) storages_.push_back({adopted, impl, c10::Storage(), nullptr});
  return adopted;
}

at::Tensor HostView::to_device(at::Tensor&& result, c10::Device device) {
  if (!result.defined() || !result.device().is_cpu()) return std::move(result);
  for (const TensorPair& pair : tensors_) {
    if (pair.host.is_same(result)) return pair.argument;
  }
  if (is_sparse(result)) return sparse_to_device(result, device);
  check_is_plain(result);
  if (is_nested(result)) {
    return nested_with_storage(result, device_storage_of(c10::Storage(result.storage()), device));
  }
  const Form form(result);
  c10::Storage host = result.storage();
  // Its memory is taken over if this was the storage's last tensor.
  result.reset();
  return form.on(DispatchKey::CUDA, device_storage_of(std::move(host), device));
}

}  // namespace placecheck::virtual_cuda
