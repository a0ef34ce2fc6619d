// Who waits for whom: each wait of this process for other ranks is watched by one thread, which
// ends it when the deadline has passed, or when the ranks are seen to wait for each other.
//
// For that a rank whose main thread has waited for a second says so in the group's store, under
// "placecheck/wait/<rank>"; and a rank that gives up says why, under "placecheck/end/<rank>".
// Thread-safe. Ranks are the program's (global) ones.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_RANK_WAITS_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_RANK_WAITS_H_

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>

namespace placecheck::process_group {

using StorePtr = c10::intrusive_ptr<c10d::Store>;

// The store without the prefixes of groups and devices: what all groups share.
StorePtr common_store(const StorePtr& store);

// Says why this rank gives up; errors of the store are of no account here.
void publish_end(const StorePtr& common, std::int64_t rank, const std::string& why) noexcept;
// What publish_end() of a rank said; empty where it said nothing.
std::string published_end(const StorePtr& common, std::int64_t rank) noexcept;

// One wait, watched while it lives: for one rank after the other. Used by one thread.
class RankWait {
 public:
  struct Options {
    StorePtr store;  // the common one
    std::int64_t rank = 0;
    std::string what;  // "all_reduce at train.py:20"
    std::chrono::milliseconds deadline{0};
    // How many of the program's main threads (0 or 1) wait for this one.
    const std::atomic<int>* main_thread_waits = nullptr;
  };

  explicit RankWait(Options options);
  RankWait(const RankWait&) = delete;
  RankWait& operator=(const RankWait&) = delete;
  ~RankWait();

  // Waits for what `rank` has to do for `work`; false where the wait was ended by the watch. Throws
  // what the work throws.
  bool wait_for(std::int64_t rank, c10d::Work& work);

  // Why it was ended: "the deadline of 60 s has passed", or who waits for whom.
  std::string abort_reason() const;

 private:
  friend class Watch;

  Options options_;
  std::uint64_t number_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::int64_t awaited_ = -1;
  c10d::Work* work_ = nullptr;
  std::string reason_;
};

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_RANK_WAITS_H_
