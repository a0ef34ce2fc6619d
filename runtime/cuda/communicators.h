// Who belongs to which NCCL communicator, and what the ranks were asked for: by each in turn, and
// by one thread. Nothing waits: what would hang is judged when it is asked. Thread-safe as NCCL is:
// a communicator is used by one thread at a time.
#ifndef PLACECHECK_RUNTIME_CUDA_COMMUNICATORS_H_
#define PLACECHECK_RUNTIME_CUDA_COMMUNICATORS_H_

#include <cstddef>
#include <memory>
#include <string_view>

#include "rules/nccl_usage.h"
#include "runtime/cuda/include/nccl.h"

namespace placecheck::cuda {

// The ranks of one communicator.
class Clique;

}  // namespace placecheck::cuda

struct ncclComm {
  std::shared_ptr<placecheck::cuda::Clique> clique;
  int rank = 0;
  int ranks = 1;
  int device = 0;
  std::size_t position = 0;  // of the rank's next call
};

namespace placecheck::cuda {

// The ranks that share an id; made by the first that comes. Each rank asks once.
std::shared_ptr<Clique> clique_of(const ncclUniqueId& id, int ranks);
std::shared_ptr<Clique> make_clique(int ranks);

// Each of these judges, and is false where the call is to fail.
//
// A rank joins with its device, which no other may have.
bool join(Clique& clique, int rank, int device, std::string_view operation);
// What one thread asks of several ranks outside a group.
bool judge_order(const std::shared_ptr<Clique>& clique, std::string_view operation, int rank);
// A rank's call against the call that another made at the same position.
bool judge_agreement(ncclComm& comm, const rules::nccl_usage::Call& call);

// Groups of the calling thread. One that is left open when its thread ends is a mistake at start.
void start_group();
// False where none is open.
bool end_group();

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_COMMUNICATORS_H_
