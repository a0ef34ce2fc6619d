// What ProcessGroupNCCL demands of the tensors of one rank, in its words. Pure functions; errors:
// c10::ValueError, TypeError and Error, as there. With PLACECHECK_TORCH_REPORT a tensor in a wrong
// place is reported, and the call goes on as if it had been right.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_NCCL_CHECKS_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_NCCL_CHECKS_H_

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::process_group {

// The one tensor of a list.
const at::Tensor& single_tensor(const std::vector<at::Tensor>& tensors);

// Dense memory of a GPU, in a type that NCCL has; `operation` is named in errors.
void check_tensor(const at::Tensor& tensor, std::string_view operation,
                  bool is_point_to_point = false);

// Of one device and dtype, for coalesced calls.
void check_same_device(const std::vector<at::Tensor>& tensors, std::string_view operation);

// Of one device with `tensor`, one for each rank.
void check_list(const std::vector<at::Tensor>& list, const at::Tensor& tensor, int ranks,
                std::string_view operation);

// A rank of the group; ValueError otherwise.
void check_root(std::int64_t root, int size, std::string_view operation);

// A rule that ranks break together, and that each of them sees: reports it where mistakes are
// reported, and raises BackendError, since there is no going on.
[[noreturn]] void refuse(const std::string& message);
// The same in NCCL's words, for two ranks on one GPU.
[[noreturn]] void refuse_duplicate_gpu(const std::string& message);

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_NCCL_CHECKS_H_
