#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/copy_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Storage.h>

#include <optional>
#include <utility>

#include "runtime/torch/virtual_cuda/capture.h"
#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/host_view.h"
#include "runtime/torch/virtual_cuda/kernels.h"
#include "runtime/torch/virtual_cuda/memory.h"
#include "runtime/torch/virtual_cuda/transfers.h"

namespace placecheck::virtual_cuda {
namespace {

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::CUDA);

// Makes a device current on this thread for a while.
class CurrentDevice {
 public:
  explicit CurrentDevice(c10::Device device) : previous_(current_device()) {
    set_current_device_unchecked(device.index());
  }
  ~CurrentDevice() { set_current_device_unchecked(previous_); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  c10::DeviceIndex previous_;
};

// The checks of at::detail::empty_cuda.
at::ScalarType check_options(c10::optional<at::ScalarType> dtype, c10::optional<at::Layout> layout,
                             c10::optional<bool> pin_memory) {
  TORCH_CHECK(c10::layout_or_default(layout) == at::kStrided,
              "not supported on virtual GPUs: memory of a ", c10::layout_or_default(layout),
              " tensor");
  TORCH_CHECK(!c10::pinned_memory_or_default(pin_memory), "Only dense CPU tensors can be pinned");
  return c10::dtype_or_default(dtype);
}

at::Tensor empty(at::IntArrayRef size, c10::optional<at::ScalarType> dtype,
                 c10::optional<at::Layout> layout, c10::optional<at::Device> device,
                 c10::optional<bool> pin_memory, c10::optional<at::MemoryFormat> memory_format) {
  note_work();
  const at::ScalarType type = check_options(dtype, layout, pin_memory);
  const CurrentDevice current(resolve(c10::device_or_default(device)));
  return at::detail::empty_generic(size, device_allocator(), kKeys, type, memory_format);
}

at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride,
                         c10::optional<at::ScalarType> dtype, c10::optional<at::Layout> layout,
                         c10::optional<at::Device> device, c10::optional<bool> pin_memory) {
  note_work();
  const at::ScalarType type = check_options(dtype, layout, pin_memory);
  const CurrentDevice current(resolve(c10::device_or_default(device)));
  return at::detail::empty_strided_generic(size, stride, device_allocator(), kKeys, type);
}

bool is_pinned_address_of(const at::Tensor& tensor) {
  return is_pinned_address(tensor.storage().data());
}

// From ATen/native/cuda/Copy.cu; graphs.py refuses copies to the host, which wait.
void check_copy_in_capture(const at::Tensor& to, const at::Tensor& from) {
  if (!is_capturing || !to.is_cuda() || from.is_cuda()) return;
  TORCH_CHECK(is_pinned_address_of(from),
              "Cannot copy between CPU and CUDA tensors during CUDA graph capture unless the CPU "
              "tensor is pinned. Please use tensor.pin_memory() or allocate the tensor with "
              "pin_memory=True.");
}

// Between any two devices.
at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  note_work();
  check_copy_in_capture(self, source);
  at::AutoDispatchBelowADInplaceOrView guard;
  HostView view;
  at::Tensor to = view.to_host(self);
  at::native::copy_(to, view.to_host(source), non_blocking);
  return self;
}

at::DimVector infer_contiguous(at::IntArrayRef size) {
  at::DimVector strides(size.size());
  std::int64_t next = 1;
  for (std::size_t i = size.size(); i-- > 0;) {
    strides[i] = next;
    next *= std::max<std::int64_t>(size[i], 1);
  }
  return strides;
}

at::Tensor& set_storage_range(at::Tensor& self, at::Storage source, std::int64_t offset,
                              at::IntArrayRef size, at::IntArrayRef stride) {
  TORCH_CHECK(source.device() == self.device(),
              "Attempted to set the storage of a tensor on device \"", self.device(),
              "\" to a storage on different device \"", source.device(),
              "\".  This is no longer allowed; the devices must match.");
  c10::TensorImpl& impl = *self.unsafeGetTensorImpl();
  impl.set_storage_keep_dtype(std::move(source));
  const bool is_contiguous = stride.data() == nullptr && !size.empty();
  impl.set_sizes_and_strides(size, is_contiguous ? infer_contiguous(size) : at::DimVector(stride),
                             offset);
  return self;
}

at::Tensor& set_storage(at::Tensor& self, at::Storage source) {
  const auto elements = static_cast<std::int64_t>(source.nbytes() / self.dtype().itemsize());
  return set_storage_range(self, std::move(source), 0, {elements}, {1});
}

bool is_pinned(const at::Tensor& self, c10::optional<at::Device> /*device*/) {
  return self.is_cpu() && is_pinned_address_of(self);
}

at::Tensor pin_memory(const at::Tensor& self, c10::optional<at::Device> /*device*/) {
  TORCH_CHECK(self.is_cpu(), "cannot pin '", self.toString(),
              "' only dense CPU tensors can be pinned");
  at::AutoDispatchBelowADInplaceOrView guard;
  const at::Tensor pinned = at::detail::empty_generic(self.sizes(), pinned_allocator(),
                                                      c10::DispatchKeySet(c10::DispatchKey::CPU),
                                                      self.scalar_type(), c10::nullopt);
  pinned.copy_(self);
  return pinned;
}

// Work is done when it is asked for: no stream still uses the memory.
void record_stream(at::Tensor& /*self*/, at::Stream /*stream*/) {}

}  // namespace

void add_memory_kernels(torch::Library& library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &empty_strided);
  library.impl("copy_", &copy);
  library.impl("view", TORCH_FN(at::native::view));
  library.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
  library.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
  library.impl("set_.source_Storage", &set_storage);
  library.impl("set_.source_Storage_storage_offset", &set_storage_range);
  library.impl("is_pinned", &is_pinned);
  library.impl("_pin_memory", &pin_memory);
  library.impl("record_stream", &record_stream);
}

}  // namespace placecheck::virtual_cuda
