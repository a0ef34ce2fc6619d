#include "runtime/torch/python/rank_links.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <c10/util/Exception.h>

#include <set>
#include <utility>

namespace placecheck::process_group {
namespace {

struct Posted {
  int peer;
  c10::intrusive_ptr<c10d::Work> work;
};

std::string rank_name(std::int64_t rank) { return "rank " + std::to_string(rank); }

// PyTorch's texts for a connection that broke have the place in gloo's source first.
std::string without_trace(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

RankLinks::RankLinks(Options options)
    : options_(std::move(options)),
      rank_(options_.host->getRank()),
      size_(options_.host->getSize()),
      last_calls_(static_cast<std::size_t>(size_)) {
  options_.store = common_store(options_.store);
}

std::int64_t RankLinks::global_rank(int rank) const {
  const auto& ranks = options_.global_ranks;
  return ranks.empty() ? rank : ranks.at(static_cast<std::size_t>(rank));
}

void RankLinks::exchange(const std::vector<Message>& messages, const CollectiveCall& what,
                         const std::atomic<int>& main_thread_waits) {
  check();
  std::vector<Posted> receives;
  std::vector<Posted> sends;
  for (const Message& message : messages) {
    if (message.memory.numel() == 0) continue;
    std::vector<at::Tensor> memory{message.memory};
    try {
      if (message.direction == Message::Direction::kSend) {
        sends.push_back({message.peer, options_.host->send(memory, message.peer, message.tag)});
      } else {
        receives.push_back({message.peer, options_.host->recv(memory, message.peer, message.tag)});
      }
    } catch (const std::exception& error) {
      fail_for_ended(message.peer, what, error.what());
    }
  }
  // What others send first: who has ended is seen by that.
  receives.insert(receives.end(), sends.begin(), sends.end());
  RankWait wait(
      {options_.store, global_rank(rank_), describe(what), options_.deadline, &main_thread_waits});
  for (const Posted& posted : receives) {
    const std::int64_t peer = global_rank(posted.peer);
    bool came = false;
    try {
      came = wait.wait_for(peer, *posted.work);
    } catch (const std::exception& error) {
      fail_for_ended(posted.peer, what, error.what());
    }
    if (came) continue;
    fail(rank_name(global_rank(rank_)) + " is in " + describe(what) + ", but " + rank_name(peer) +
         " has not come" + last_call_of(posted.peer) + ": " + wait.abort_reason());
  }
}

void RankLinks::remember(int peer, const CollectiveCall& call) {
  std::lock_guard lock(mutex_);
  last_calls_.at(static_cast<std::size_t>(peer)) = describe(call);
}

void RankLinks::check() {
  std::lock_guard lock(mutex_);
  if (!failure_.empty()) throw_backend_error(failure_);
}

std::string RankLinks::last_call_of(int peer) {
  std::lock_guard lock(mutex_);
  const std::string& last = last_calls_.at(static_cast<std::size_t>(peer));
  return last.empty() ? " (it has not called anything in this group)"
                      : " (the last call seen of it: " + last + ")";
}

void RankLinks::fail_for_ended(int peer, const CollectiveCall& what, const char* error) {
  const std::string name = rank_name(global_rank(peer));
  std::string message = name + " ended, or was killed, while " + rank_name(global_rank(rank_)) +
                        " is in " + describe(what) + last_call_of(peer);
  const std::string why = published_end(options_.store, global_rank(peer));
  message += why.empty() ? ": " + without_trace(error) : "\n" + name + " said: " + why;
  fail(message);
}

void RankLinks::fail(const std::string& message) {
  {
    std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = message;
  }
  publish_end(options_.store, global_rank(rank_), message);
  throw_backend_error(message);
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
