#include "runtime/torch/virtual_cuda/transfers.h"

#include <ATen/ops/_to_copy_native.h>

#include <cstdlib>
#include <exception>
#include <string>

#include "rules/discarded_transfer.h"
#include "runtime/torch/virtual_cuda/kernels.h"
#include "runtime/torch/virtual_cuda/memory.h"
#include "runtime/torch/virtual_cuda/report.h"

namespace placecheck::virtual_cuda {
namespace {

namespace rule = rules::discarded_transfer;

// libtorch's own, watched. Several transfers may be made before the first result is given up, at
// the end of a full expression: they are no work.
at::Tensor to_copy(const at::Tensor& self, c10::optional<at::ScalarType> dtype,
                   c10::optional<at::Layout> layout, c10::optional<at::Device> device,
                   c10::optional<bool> pin_memory, bool non_blocking,
                   c10::optional<at::MemoryFormat> memory_format) {
  const std::uint64_t before = work_of_thread;
  at::Tensor result =
      at::native::_to_copy(self, dtype, layout, device, pin_memory, non_blocking, memory_format);
  work_of_thread = before;
  const bool is_transfer = result.is_cuda() && result.device() != self.device();
  if (is_transfer && result.has_storage()) watch_transfer(result.storage());
  return result;
}

}  // namespace

void UnreadTransfer::report(c10::Device device) const {
  // What an error unwinds was not dropped.
  if (std::uncaught_exceptions() > 0) return;
  core::StackAddresses now;
  now.capture();
  if (made_->common_line(now).empty()) return;
  const bool is_broken =
      rule::judge(rule::Receiver::kTensor, rules::Trait::kNo) == rules::Verdict::kBroken;
  if (!is_broken) return;
  warn(rule::kRule, "the result of a transfer to " + device.str() +
                        " is dropped: the tensor itself stays where it is");
}

void add_transfer_kernels(torch::Library& for_cpu, torch::Library& for_cuda) {
  // Asked of the environment itself: is_reporting() reads it once, and a program may set it later.
  if (std::getenv("PLACECHECK_TORCH_REPORT") == nullptr) return;
  for_cpu.impl("_to_copy", &to_copy);
  for_cuda.impl("_to_copy", &to_copy);
}

}  // namespace placecheck::virtual_cuda
