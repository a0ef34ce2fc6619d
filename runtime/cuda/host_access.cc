#include "runtime/cuda/host_access.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "runtime/cuda/device_pages.h"
#include "runtime/cuda/host_access_report.h"
#include "runtime/cuda/memory.h"

// All that handlers call is async-signal-safe: no locks, no memory, no streams. What is a thread's
// own is in memory that the thread has from its start.
#define PLACECHECK_OF_HANDLERS [[gnu::tls_model("initial-exec")]] thread_local

namespace placecheck::cuda {
namespace {

// Loops over large memory would take minutes: after so many accesses pages stay open.
constexpr int kMostSteps = 20000;
// An instruction reaches a page, and the next one where it straddles their border; a copy of
// strings has two ends.
constexpr std::size_t kMostPages = 4;
// Other threads may close what was opened before the instruction has run; an instruction that
// faults this often is not helped by opening.
constexpr int kMostFaultsAtOnce = 1000;

struct sigaction before_of_faults;
struct sigaction before_of_steps;
std::size_t page_bytes = 0;

// The pages that this thread's instruction is let through to.
PLACECHECK_OF_HANDLERS std::array<char*, kMostPages> open_pages{};
PLACECHECK_OF_HANDLERS std::size_t open_count = 0;
// How often its last access has faulted without an instruction in between.
PLACECHECK_OF_HANDLERS const void* last_address = nullptr;
PLACECHECK_OF_HANDLERS int faults_at_once = 0;
std::atomic<int> steps{0};

// What was there before, as if we had never been.
void pass_on(const struct sigaction& before, int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
    return;
  }
  const bool is_fault = signal == SIGSEGV && info->si_code > 0;
  if (before.sa_handler == SIG_IGN && !is_fault) return;
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
    return;
  }
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  // A faulting instruction runs again, and ends the program; others were sent the signal.
  if (!is_fault) raise(signal);
}

#if defined(__x86_64__)
constexpr greg_t kTrapFlag = 0x100;
constexpr greg_t kInstructionFetch = 0x10;

void stop_after_instruction(void* context, bool is_on) {
  greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  flags = is_on ? flags | kTrapFlag : flags & ~kTrapFlag;
}
// The program has jumped there: no page that is opened can be executed.
bool is_jump(const siginfo_t* /*info*/, void* context) {
  return (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kInstructionFetch) != 0;
}
constexpr bool kCanStep = true;
#else
void stop_after_instruction(void* /*context*/, bool /*is_on*/) {}
bool is_jump(const siginfo_t* /*info*/, void* /*context*/) { return false; }
constexpr bool kCanStep = false;
#endif

bool makes_progress(const void* address) {
  faults_at_once = address == last_address ? faults_at_once + 1 : 0;
  last_address = address;
  return faults_at_once < kMostFaultsAtOnce;
}

// False where the instruction would only fault again.
bool let_through(siginfo_t* info, void* context) {
  if (is_jump(info, context) || !makes_progress(info->si_addr)) return false;
  char* page = static_cast<char*>(info->si_addr) -
               reinterpret_cast<std::uintptr_t>(info->si_addr) % page_bytes;
  if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  if (!kCanStep || ++steps > kMostSteps || open_count == kMostPages) return true;
  open_pages[open_count++] = page;
  stop_after_instruction(context, true);
  return true;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const int device = info->si_code > 0 ? device_at(info->si_addr) : DevicePages::kNone;
  const bool goes_on = device != DevicePages::kNone && tell_host_access(device);
  if (!goes_on || !let_through(info, context)) {
    pass_on(before_of_faults, signal, info, context);
  }
  errno = error;
}

void on_step(int signal, siginfo_t* info, void* context) {
  if (open_count == 0) {
    pass_on(before_of_steps, signal, info, context);
    return;
  }
  const int error = errno;
  while (open_count > 0) {
    // Memory that was given back meanwhile is closed already.
    char* page = open_pages[--open_count];
    if (device_at(page) != DevicePages::kNone) mprotect(page, page_bytes, PROT_NONE);
  }
  last_address = nullptr;
  stop_after_instruction(context, false);
  errno = error;
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction& before) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  // Handlers that were there before may want the stack that the program set aside.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &before);
}

}  // namespace

void watch_host_accesses() {
  prepare_host_access_reports();
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = page_size();
    handle(SIGSEGV, &on_fault, before_of_faults);
    handle(SIGTRAP, &on_step, before_of_steps);
  });
}

}  // namespace placecheck::cuda
