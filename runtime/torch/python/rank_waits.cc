#include "runtime/torch/python/rank_waits.h"

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <c10/util/ScopeExit.h>
#include <unistd.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <utility>
#include <vector>

namespace placecheck::process_group {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPeriod = 200ms;
constexpr auto kPublishAfter = 1s;
// A circle of waits that stays the same for so long is no passing state.
constexpr auto kDeadlockAfter = 3s;

std::string wait_key(std::int64_t rank) { return "placecheck/wait/" + std::to_string(rank); }
std::string end_key(std::int64_t rank) { return "placecheck/end/" + std::to_string(rank); }

void write(const StorePtr& store, const std::string& key, const std::string& text) {
  store->set(key, std::vector<std::uint8_t>(text.begin(), text.end()));
}

// get() waits for keys that are not there.
std::string read(const StorePtr& store, const std::string& key) {
  if (!store->check({key})) return {};
  const std::vector<std::uint8_t> bytes = store->get(key);
  return {bytes.begin(), bytes.end()};
}

// What a rank says of its wait: "<stamp>;<awaited rank>;<what>".
struct PublishedWait {
  std::string stamp;
  std::int64_t awaited = -1;
  std::string what;
};

std::string encode(const PublishedWait& wait) {
  return wait.stamp + ";" + std::to_string(wait.awaited) + ";" + wait.what;
}

std::optional<PublishedWait> decode(const std::string& text) {
  std::istringstream stream(text);
  PublishedWait wait;
  char separator = 0;
  if (!std::getline(stream, wait.stamp, ';') || !(stream >> wait.awaited >> separator)) return {};
  std::getline(stream, wait.what);
  return wait;
}

// The ranks that wait for each other, from `first` on; none where the last of them does not wait.
std::vector<std::pair<std::int64_t, PublishedWait>> circle_from(const StorePtr& store,
                                                                std::int64_t first) {
  std::vector<std::pair<std::int64_t, PublishedWait>> path;
  std::set<std::int64_t> visited;
  std::int64_t rank = first;
  do {
    const std::optional<PublishedWait> wait = decode(read(store, wait_key(rank)));
    if (!wait || !visited.insert(rank).second) return {};
    path.emplace_back(rank, *wait);
    rank = wait->awaited;
  } while (rank != first);
  return path;
}

}  // namespace

// The watching thread, of which a process has one; never destroyed.
class Watch {
 public:
  static Watch& instance() {
    static auto* watch = new Watch;
    return *watch;
  }

  void add(RankWait& wait) {
    std::lock_guard lock(mutex_);
    wait.number_ = ++last_number_;
    waits_.emplace(wait.number_, &wait);
    if (pid_ != getpid()) {  // the first wait, also of a forked child
      pid_ = getpid();
      std::thread([this] { run(); }).detach();
    }
    changed_.notify_all();
  }

  void remove(RankWait& wait) {
    std::lock_guard lock(mutex_);
    waits_.erase(wait.number_);
  }

  std::mutex& mutex() { return mutex_; }

 private:
  struct Seen {
    std::uint64_t number;
    StorePtr store;
    std::int64_t rank;
    PublishedWait wait;
  };

  [[noreturn]] void run() {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        if (waits_.empty() && !published_) changed_.wait(lock, [&] { return !waits_.empty(); });
        for (const auto& [number, wait] : waits_) check_deadline(*wait);
      }
      try {
        publish();
      } catch (const std::exception&) {
        // The store's process has ended; the waits end by their connections or deadlines.
        published_.reset();
      }
      std::this_thread::sleep_for(kPeriod);
    }
  }

  static void check_deadline(RankWait& wait) {
    const auto& options = wait.options_;
    if (!wait.reason_.empty() || Clock::now() - wait.start_ < options.deadline) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options.deadline);
    wait.reason_ = "the deadline of " + std::to_string(seconds.count()) +
                   " s has passed (PLACECHECK_COLLECTIVE_TIMEOUT)";
    if (wait.work_ != nullptr) wait.work_->abort();
  }

  // The oldest wait that holds up the program.
  std::optional<Seen> blocking_wait() {
    std::lock_guard lock(mutex_);
    for (const auto& [number, wait] : waits_) {
      const auto& options = wait->options_;
      if (!wait->reason_.empty() || Clock::now() - wait->start_ < kPublishAfter ||
          wait->work_ == nullptr || options.main_thread_waits == nullptr ||
          options.main_thread_waits->load() == 0) {
        continue;
      }
      const std::string stamp = std::to_string(getpid()) + "." + std::to_string(number);
      return Seen{number, options.store, options.rank, {stamp, wait->awaited_, options.what}};
    }
    return std::nullopt;
  }

  void publish() {
    const std::optional<Seen> seen = blocking_wait();
    const std::string text = seen ? encode(seen->wait) : "";
    if (published_ && (!seen || published_text_ != text)) {
      if (!seen) write(published_->store, wait_key(published_->rank), "");
      published_.reset();
      circle_.clear();
    }
    if (!seen) return;
    if (!published_) {
      write(seen->store, wait_key(seen->rank), text);
      published_ = seen;
      published_text_ = text;
    }
    look_for_circle(*seen);
  }

  void look_for_circle(const Seen& seen) {
    std::string circle;
    std::string text;
    for (const auto& [rank, wait] : circle_from(seen.store, seen.rank)) {
      circle += encode(wait) + " ";
      text += "\n  rank " + std::to_string(rank) + " is in " + wait.what + " and waits for rank " +
              std::to_string(wait.awaited);
    }
    if (circle != circle_) {
      circle_ = circle;
      circle_since_ = Clock::now();
    }
    if (circle.empty() || Clock::now() - circle_since_ < kDeadlockAfter) return;
    std::lock_guard lock(mutex_);
    const auto found = waits_.find(seen.number);
    if (found == waits_.end() || !found->second->reason_.empty()) return;
    found->second->reason_ = "the ranks wait for each other:" + text;
    if (found->second->work_ != nullptr) found->second->work_->abort();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, RankWait*> waits_;
  std::uint64_t last_number_ = 0;
  pid_t pid_ = 0;

  // The watching thread's own.
  std::optional<Seen> published_;
  std::string published_text_;
  std::string circle_;
  Clock::time_point circle_since_;
};

StorePtr common_store(const StorePtr& store) {
  StorePtr common = store;
  while (const auto prefixed = c10::dynamic_intrusive_pointer_cast<c10d::PrefixStore>(common)) {
    common = prefixed->getUnderlyingStore();
  }
  return common;
}

void publish_end(const StorePtr& common, std::int64_t rank, const std::string& why) noexcept {
  try {
    write(common, end_key(rank), why);
  } catch (const std::exception&) {
    // The store's process has ended.
  }
}

std::string published_end(const StorePtr& common, std::int64_t rank) noexcept {
  try {
    return read(common, end_key(rank));
  } catch (const std::exception&) {
    return {};
  }
}

RankWait::RankWait(Options options) : options_(std::move(options)), start_(Clock::now()) {
  Watch::instance().add(*this);
}

RankWait::~RankWait() { Watch::instance().remove(*this); }

bool RankWait::wait_for(std::int64_t rank, c10d::Work& work) {
  {
    std::lock_guard lock(Watch::instance().mutex());
    if (!reason_.empty()) return false;
    awaited_ = rank;
    work_ = &work;
  }
  const auto no_longer = c10::make_scope_exit([this] {
    std::lock_guard lock(Watch::instance().mutex());
    work_ = nullptr;
  });
  return work.wait();
}

std::string RankWait::abort_reason() const {
  std::lock_guard lock(Watch::instance().mutex());
  return reason_;
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
