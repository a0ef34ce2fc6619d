#include "runtime/cuda/communicators.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/stack.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {

namespace rule = rules::nccl_usage;
using rules::DeviceFact;
using rules::Verdict;

// No rank is ahead of another by more.
constexpr std::size_t kMostCalls = 4096;

class Clique {
 public:
  explicit Clique(int ranks) : ranks_(ranks) {}

  int ranks() const { return ranks_; }

  // The devices of the ranks that have joined.
  std::vector<DeviceFact> join(int rank, int device) {
    std::lock_guard<std::mutex> lock(mutex_);
    devices_[rank] = DeviceFact::cuda(static_cast<std::uint32_t>(device));
    std::vector<DeviceFact> devices;
    devices.reserve(devices_.size());
    for (const auto& [each, place] : devices_) devices.push_back(place);
    return devices;
  }

  // Who was the first to call at this position, and for what; the caller, where nobody was or it is
  // too long ago.
  std::pair<int, rule::Call> first_at(std::size_t position, int rank, const rule::Call& call) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (position < forgotten_) return {rank, call};
    const std::size_t least = position - forgotten_ + 1;
    if (calls_.size() < least) calls_.resize(least, {rank, call});
    const std::pair<int, rule::Call> first = calls_[position - forgotten_];
    if (calls_.size() > kMostCalls) {
      calls_.pop_front();
      ++forgotten_;
    }
    return first;
  }

 private:
  const int ranks_;
  std::mutex mutex_;
  std::map<int, DeviceFact> devices_;
  std::deque<std::pair<int, rule::Call>> calls_;
  std::size_t forgotten_ = 0;  // the position of the first in calls_
};

namespace {

using Id = std::array<char, NCCL_UNIQUE_ID_BYTES>;

// Cliques of which ranks are missing still. A rank may be done before the next one comes, since
// none waits.
struct Incomplete {
  std::shared_ptr<Clique> clique;
  int missing = 0;
};

struct Cliques {
  std::mutex mutex;
  std::map<Id, Incomplete> by_id;
};

// Never destroyed: static objects of the program may hold communicators.
Cliques& the_cliques() {
  static auto* cliques = new Cliques;
  return *cliques;
}

struct Asked {
  std::shared_ptr<Clique> clique;
  std::string_view operation;
  int rank;
};

// What a thread has asked outside groups, and the group that it has open.
class Asking {
 public:
  ~Asking() {
    if (depth == 0) return;
    fail_at(opened_at, rule::kRule, "ncclGroupStart", rule::order_message());
  }

  int depth = 0;
  std::string opened_at;
  std::vector<Asked> calls;
};

thread_local Asking asking;

}  // namespace

std::shared_ptr<Clique> make_clique(int ranks) { return std::make_shared<Clique>(ranks); }

std::shared_ptr<Clique> clique_of(const ncclUniqueId& id, int ranks) {
  Id key;
  std::memcpy(key.data(), id.internal, key.size());
  Cliques& cliques = the_cliques();
  std::lock_guard<std::mutex> lock(cliques.mutex);
  const auto known = cliques.by_id.try_emplace(key, Incomplete{nullptr, ranks}).first;
  if (known->second.clique == nullptr) known->second.clique = make_clique(ranks);
  auto clique = known->second.clique;
  if (--known->second.missing <= 0) cliques.by_id.erase(known);
  return clique;
}

bool join(Clique& clique, int rank, int device, std::string_view operation) {
  const std::vector<DeviceFact> devices = clique.join(rank, device);
  if (rule::judge_devices(devices) != Verdict::kBroken) return true;
  return fail(rule::kRule, operation, rule::devices_message());
}

bool judge_order(const std::shared_ptr<Clique>& clique, std::string_view operation, int rank) {
  if (asking.depth > 0) return true;
  for (Asked& before : asking.calls) {
    if (before.clique != clique || before.operation != operation) continue;
    const int other = std::exchange(before.rank, rank);
    if (rule::judge_order(/*is_grouped=*/false, other, rank) != Verdict::kBroken) return true;
    return fail(rule::kRule, operation,
                rule::order_message() + " (rank " + std::to_string(other) + ", then rank " +
                    std::to_string(rank) + ")");
  }
  asking.calls.push_back({clique, operation, rank});
  return true;
}

bool judge_agreement(ncclComm& comm, const rule::Call& call) {
  const auto [other, first] = comm.clique->first_at(comm.position++, comm.rank, call);
  if (rule::judge_calls(first, call) != Verdict::kBroken) return true;
  return fail(rule::kRule, call.operation,
              rule::calls_message(static_cast<std::size_t>(other), first,
                                  static_cast<std::size_t>(comm.rank), call));
}

void start_group() {
  if (asking.depth == 0) {
    asking.calls.clear();
    asking.opened_at = is_reporting() ? core::stack_text() : "";
  }
  ++asking.depth;
}

bool end_group() {
  if (asking.depth == 0) return fail(rule::kRule, "ncclGroupEnd", rule::unopened_message());
  --asking.depth;
  return true;
}

}  // namespace placecheck::cuda
