#include "runtime/cuda/host_access_report.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>

#include "rules/cuda_pointer_placement.h"
#include "runtime/core/stack.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {
namespace {

// What a handler waits for its report to be written. The debug information of a large program takes
// seconds to read.
constexpr std::time_t kDeadlineSeconds = 5;
constexpr std::size_t kRequests = 16;
constexpr std::size_t kPlaces = 8192;

enum State : std::uint32_t {
  kFree,
  kFilling,
  kWaiting,  // the handler waits
  kLeft,     // it waits no longer
  kWritten,  // it is told to go on
};

struct Request {
  std::atomic<std::uint32_t> state{kFree};
  core::StackAddresses stack;
  int device = 0;
};

std::array<Request, kRequests> requests;
// Counts what is asked for, so that the thread that writes can wait for more.
std::atomic<std::uint32_t> asked{0};
// The process that has the thread; a fork leaves it behind.
std::atomic<pid_t> writer_process{0};

// Hashes of the stacks that were reported; 0 where there is none.
std::array<std::atomic<std::size_t>, kPlaces> known_places{};

// Written before the handler is there.
struct Text {
  std::array<char, 192> bytes{};
  std::size_t length = 0;
};
std::array<Text, 64> texts;

static_assert(std::atomic<std::uint32_t>::is_always_lock_free &&
              std::atomic<std::size_t>::is_always_lock_free);

void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value, const timespec* deadline) {
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value, deadline, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

void wake(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0);
}

bool is_past(const timespec& deadline) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec > deadline.tv_sec ||
         (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec);
}

// Whether this is the first time; a full table knows nothing new.
bool is_new_place(std::size_t hash) {
  if (hash == 0) hash = 1;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    std::size_t known = 0;
    auto& place = known_places[(hash + i) % kPlaces];
    if (place.compare_exchange_strong(known, hash)) return true;
    if (known == hash) return false;
  }
  return false;
}

Request* claim() {
  for (Request& request : requests) {
    std::uint32_t expected = kFree;
    if (request.state.compare_exchange_strong(expected, kFilling)) return &request;
  }
  return nullptr;
}

void write_report(Request& request) {
  fail_at(request.stack.text(), rules::cuda_pointer_placement::kRule, "the host",
          host_access_message(request.device));
  std::uint32_t expected = kWaiting;
  if (request.state.compare_exchange_strong(expected, kWritten)) {
    wake(request.state);
  } else {
    request.state = kFree;
  }
}

[[noreturn]] void write_reports() {
  for (std::uint32_t seen = 0;;) {
    const std::uint32_t now = asked;
    if (now == seen) {
      wait_while(asked, seen, nullptr);
      continue;
    }
    seen = now;
    for (Request& request : requests) {
      const std::uint32_t state = request.state;
      if (state == kWaiting || state == kLeft) write_report(request);
    }
  }
}

void wait_for(Request& request) {
  timespec deadline{};
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += kDeadlineSeconds;
  while (request.state == kWaiting && !is_past(deadline)) {
    wait_while(request.state, kWaiting, &deadline);
  }
  std::uint32_t expected = kWaiting;
  if (!request.state.compare_exchange_strong(expected, kLeft)) request.state = kFree;
}

void tell_on_stderr(int device) {
  const Text& text = texts[static_cast<std::size_t>(device) % texts.size()];
  // Nothing can be done where it fails.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.bytes.data(), text.length);
}

void ask_for_report(const core::StackAddresses& stack, int device) {
  Request* request = claim();
  if (request == nullptr || writer_process != getpid()) {
    if (request != nullptr) request->state = kFree;
    tell_on_stderr(device);
    return;
  }
  request->stack = stack;
  request->device = device;
  request->state = kWaiting;
  ++asked;
  wake(asked);
  wait_for(*request);
}

void write_texts() {
  for (int device = 0; device < device_count(); ++device) {
    const std::string line = "placecheck: the host: " + host_access_message(device) + " [" +
                             std::string(rules::cuda_pointer_placement::kRule.id) + "]\n";
    Text& text = texts[static_cast<std::size_t>(device) % texts.size()];
    text.length = line.copy(text.bytes.data(), text.bytes.size());
  }
}

// Signals of the process are the program's to take.
void start_writer() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(write_reports).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void prepare_host_access_reports() {
  static std::mutex mutex;
  if (writer_process == getpid()) return;
  std::lock_guard<std::mutex> lock(mutex);
  if (writer_process == getpid()) return;
  write_texts();
  core::StackAddresses().capture();
  for (Request& request : requests) request.state = kFree;
  if (is_reporting()) start_writer();
  writer_process = getpid();
}

bool tell_host_access(int device) noexcept {
  if (!is_broken_by_host_access(device)) return true;
  if (!is_reporting()) {
    tell_on_stderr(device);
    return false;
  }
  core::StackAddresses stack;
  stack.capture();
  if (is_new_place(stack.hash())) ask_for_report(stack, device);
  return true;
}

}  // namespace placecheck::cuda
