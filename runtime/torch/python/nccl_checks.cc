#include "runtime/torch/python/nccl_checks.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <string>

#include "rules/nccl_usage.h"
#include "runtime/torch/python/backend.h"
#include "runtime/torch/virtual_cuda/observers.h"
#include "runtime/torch/virtual_cuda/report.h"

namespace placecheck::process_group {
namespace {

constexpr std::string_view kRule = rules::nccl_usage::kRule.id;

// `message`, with where the tensor comes from.
std::string explained(const std::string& message, const at::Tensor& tensor,
                      std::string_view operation) {
  return virtual_cuda::explained({kRule, message, operation, {{"tensor", &tensor}}});
}

bool has_nccl_type(c10::ScalarType type) {
  switch (type) {
    case at::kChar:
    case at::kByte:
    case at::kFloat:
    case at::kDouble:
    case at::kInt:
    case at::kLong:
    case at::kHalf:
    case at::kBool:
    case at::kBFloat16:
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
    case at::kFloat8_e5m2:
    case at::kFloat8_e4m3fn:
    case at::kFloat8_e4m3fnuz:
    case at::kFloat8_e5m2fnuz:
#endif
      return true;
    default:
      return c10::isComplexType(type);  // seen as pairs of real numbers
  }
}

void check_place(const at::Tensor& tensor, std::string_view operation) {
  if (tensor.is_cuda() && tensor.layout() == at::kStrided) return;
  const std::string message = "Tensors must be CUDA and dense";
  if (virtual_cuda::is_reporting() && tensor.layout() == at::kStrided && tensor.is_cpu()) {
    virtual_cuda::report(kRule, message);
    return;
  }
  C10_THROW_ERROR(ValueError, explained(message, tensor, operation));
}

void check_type(const at::Tensor& tensor) {
  TORCH_CHECK_TYPE(
      has_nccl_type(tensor.scalar_type()),
      "Input tensor data type is not supported for NCCL process group: ", tensor.scalar_type());
}

void check_device(const at::Tensor& tensor, c10::Device device, const char* message,
                  std::string_view operation) {
  if (tensor.device() == device || !tensor.is_cuda()) return;
  if (virtual_cuda::is_reporting()) {
    virtual_cuda::report(kRule, message);
    return;
  }
  C10_THROW_ERROR(ValueError, explained(message, tensor, operation));
}

}  // namespace

const at::Tensor& single_tensor(const std::vector<at::Tensor>& tensors) {
  TORCH_CHECK_VALUE(tensors.size() == 1,
                    "Expecting one tensor only but got multiple. You are probably using multiple "
                    "devices under one thread. The support for such usage has been deprecated. For "
                    "details, please refer to "
                    "https://pytorch.org/docs/stable/distributed.html#multi-gpu-collective-"
                    "functions. ProcessGroupNCCL continues supporting multi-process and "
                    "multi-thread modes.");
  return tensors[0];
}

void check_tensor(const at::Tensor& tensor, std::string_view operation, bool is_point_to_point) {
  check_place(tensor, operation);
  // Of memory with gaps NCCL would send what lies in them.
  const bool is_contiguous = is_point_to_point
                                 ? tensor.is_non_overlapping_and_dense()
                                 : tensor.is_contiguous(tensor.suggest_memory_format());
  TORCH_CHECK_VALUE(is_contiguous, "Tensors must be contiguous");
  check_type(tensor);
}

void check_same_device(const std::vector<at::Tensor>& tensors, std::string_view operation) {
  TORCH_CHECK_VALUE(!tensors.empty(), "Tensor list must be nonempty");
  const at::Tensor& first = tensors.front();
  for (const at::Tensor& tensor : tensors) {
    check_place(tensor, operation);
    TORCH_CHECK_TYPE(tensor.scalar_type() == first.scalar_type(),
                     "Tensors must have identical type");
    TORCH_CHECK_VALUE(tensor.is_non_overlapping_and_dense(),
                      "Tensors must be non-overlapping and dense");
    check_device(tensor, first.device(), "Expected list of tensors on the same device", operation);
    check_type(tensor);
  }
}

void check_list(const std::vector<at::Tensor>& list, const at::Tensor& tensor, int ranks,
                std::string_view operation) {
  TORCH_CHECK_VALUE(list.size() == static_cast<std::size_t>(ranks),
                    "Tensor list input to scatter/gather must match number of collective "
                    "participants, but ",
                    operation, " got ", list.size(), " tensors for ", ranks, " ranks");
  for (const at::Tensor& element : list) {
    check_place(element, operation);
    TORCH_CHECK_TYPE(element.scalar_type() == tensor.scalar_type(),
                     "All tensor operands to scatter/gather must have the same type");
    check_device(element, tensor.device(),
                 "Corresponding input/output tensors to scatter/gather "
                 "must all reside on the same device",
                 operation);
  }
}

void check_root(std::int64_t root, int size, std::string_view operation) {
  TORCH_CHECK_VALUE(root >= 0 && root < size, operation, ": invalid root rank: ", root);
}

void refuse(const std::string& message) {
  if (virtual_cuda::is_reporting()) {
    virtual_cuda::report(kRule, message);
  }
  throw_backend_error(message);
}

void refuse_duplicate_gpu(const std::string& message) {
  refuse(
      "NCCL error in: torch/csrc/distributed/c10d/NCCLUtils.cpp, invalid usage (run with "
      "NCCL_DEBUG=WARN for details)\nncclInvalidUsage: This usually reflects invalid usage of NCCL "
      "library.\nLast error:\n" +
      message);
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
