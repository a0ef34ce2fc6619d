// Communicator: one rank's end of a group, each rank a thread (or a process) with its own device.
// The operations are collective: every rank calls the same ones in the same order. Results do not
// depend on timing: sums are taken in the order of ranks.
//
// Ownership: ranks share their group. Threads: one for each rank. Errors: CommunicationError where
// a peer did not come before the deadline or aborted; then every rank that waits is woken with it.
#ifndef PLACECHECK_RUNTIME_COMM_COMMUNICATOR_H_
#define PLACECHECK_RUNTIME_COMM_COMMUNICATOR_H_

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::comm {

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  // In place; the tensors of all ranks have one type and one size, and are dense.
  virtual void all_reduce(const Tensor& tensor) = 0;
  virtual void broadcast(const Tensor& tensor, int root) = 0;
  // The sum, on `root`; other ranks' tensors keep their values.
  virtual void reduce(const Tensor& tensor, int root) = 0;
  // All ranks' tensors, in the order of ranks.
  virtual TensorList all_gather(const Tensor& tensor) = 0;
  virtual void barrier() = 0;

  // Gives up: this rank's peers stop waiting, now and for ever.
  virtual void abort(const std::string& reason) = 0;
};

using Ranks = std::vector<std::unique_ptr<Communicator>>;

// A group of ranks in this process, over any devices, or with one device for each rank.
Ranks make_local_group(int size, std::chrono::milliseconds deadline = std::chrono::seconds(60));
Ranks make_local_group(const std::vector<Device>& devices,
                       std::chrono::milliseconds deadline = std::chrono::seconds(60));

// Wraps a group's ranks in what checks their calls. `devices` holds each rank's, or is empty where
// any will do.
using RankChecks = Ranks (*)(Ranks ranks, const std::vector<Device>& devices,
                             std::chrono::milliseconds deadline);

// Null where checks are off. Defined by //runtime/checks:on and by //runtime/checks:off.
extern const RankChecks kRankChecks;

// For those who make groups: the ranks in their checks, where there are some.
inline Ranks checked_ranks(Ranks ranks, const std::vector<Device>& devices,
                           std::chrono::milliseconds deadline) {
  return kRankChecks == nullptr ? std::move(ranks)
                                : kRankChecks(std::move(ranks), devices, deadline);
}

}  // namespace placecheck::runtime::comm

#endif  // PLACECHECK_RUNTIME_COMM_COMMUNICATOR_H_
