// The connections of one rank of a group to the others: bytes to and from each of them, over a
// backend of the host (gloo), with an error that says who did not come, or who ended.
//
// After an error of a connection or a deadline the links are of no more use: each later call gets
// the same error. Thread-safe. Errors: BackendError.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_RANK_LINKS_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_RANK_LINKS_H_

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/core/Tensor.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/torch/python/backend.h"
#include "runtime/torch/python/collective_call.h"
#include "runtime/torch/python/rank_waits.h"

namespace placecheck::process_group {

// Contiguous CPU memory for, or from, a rank of the group. Messages between two ranks with one tag
// arrive in the order in which they are sent. Empty ones are not sent.
struct Message {
  enum class Direction : std::uint8_t { kSend, kReceive };
  Direction direction;
  int peer;
  int tag;
  at::Tensor memory;
};

class RankLinks {
 public:
  struct Options {
    c10::intrusive_ptr<Backend> host;
    StorePtr store;
    std::vector<std::int64_t> global_ranks;  // by the ranks of the group
    std::chrono::milliseconds deadline{0};
  };

  explicit RankLinks(Options options);

  int rank() const { return rank_; }
  int size() const { return size_; }
  std::int64_t global_rank(int rank) const;
  const Options& options() const { return options_; }

  // All messages at once; returns when all have been sent and received. `what` is the call that
  // they belong to.
  void exchange(const std::vector<Message>& messages, const CollectiveCall& what,
                const std::atomic<int>& main_thread_waits);

  // What is known of a rank's last call, for errors.
  void remember(int peer, const CollectiveCall& call);

  // Throws the error that ended the links, if one did.
  void check();

 private:
  [[noreturn]] void fail(const std::string& message);
  [[noreturn]] void fail_for_ended(int peer, const CollectiveCall& what, const char* error);
  std::string last_call_of(int peer);

  Options options_;
  int rank_;
  int size_;
  std::mutex mutex_;
  std::vector<std::string> last_calls_;
  std::string failure_;
};

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_RANK_LINKS_H_
