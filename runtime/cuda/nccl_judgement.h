// What a collective call breaks, whoever serves NCCL: its root, its buffers, its stream, the order
// in which a thread asks, and what the ranks have asked for (communicators.h). Each mistake is told
// (witness.h). Thread-safe as NCCL is: a communicator is used by one thread at a time.
#ifndef PLACECHECK_RUNTIME_CUDA_NCCL_JUDGEMENT_H_
#define PLACECHECK_RUNTIME_CUDA_NCCL_JUDGEMENT_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/cuda/communicators.h"

namespace placecheck::cuda {

struct Collective {
  std::string_view operation;
  std::vector<const void*> buffers;
  std::size_t count = 0;
  ncclDataType_t type = ncclFloat;
  std::optional<int> root = std::nullopt;
  bool is_pairwise = false;  // `root` is the other one
};

struct CollectiveVerdict {
  ncclResult_t result = ncclSuccess;  // what the call is to return; success where it goes on
  bool is_reached = true;             // the rank's device reaches all buffers
  bool would_hang = false;            // the ranks wait for each other
};

// `stream_device` is that of a stream of the program's own; the default stream is that of the
// rank's device, whichever is current.
CollectiveVerdict judge_collective(const Collective& call, ncclComm& comm,
                                   std::optional<int> stream_device);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_NCCL_JUDGEMENT_H_
