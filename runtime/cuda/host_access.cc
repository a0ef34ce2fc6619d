#include "runtime/cuda/host_access.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "runtime/cuda/memory.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {
namespace {

constexpr std::size_t kPage = 4096;
// Loops over large memory would take minutes: after so many accesses pages stay open.
constexpr int kMostSteps = 20000;
// An instruction reaches a page, and the next one where it straddles their border; a copy of
// strings has two ends.
constexpr std::size_t kMostPages = 4;

struct sigaction before_of_faults;
struct sigaction before_of_steps;

// The pages that this thread's instruction is let through to.
thread_local std::array<char*, kMostPages> open_pages{};
thread_local std::size_t open_count = 0;
std::atomic<int> steps{0};

// What was there before, as if we had never been.
void pass_on(const struct sigaction& before, int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {
    // The instruction runs again, and ends the program.
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, nullptr);
  }
}

#if defined(__x86_64__)
constexpr greg_t kTrapFlag = 0x100;

void stop_after_instruction(void* context, bool is_on) {
  greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  flags = is_on ? flags | kTrapFlag : flags & ~kTrapFlag;
}
constexpr bool kCanStep = true;
#else
void stop_after_instruction(void* /*context*/, bool /*is_on*/) {}
constexpr bool kCanStep = false;
#endif

void open_page(void* address, void* context) {
  char* page = static_cast<char*>(address) - reinterpret_cast<std::uintptr_t>(address) % kPage;
  mprotect(page, kPage, PROT_READ | PROT_WRITE);
  if (!kCanStep || ++steps > kMostSteps || open_count == kMostPages) return;
  open_pages[open_count++] = page;
  stop_after_instruction(context, true);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const bool is_ours =
      is_from_here(info->si_addr) && memory_at(info->si_addr).kind == MemoryKind::kDevice;
  if (!is_ours || !judge_host_access(info->si_addr)) {
    pass_on(before_of_faults, signal, info, context);
    return;
  }
  open_page(info->si_addr, context);
}

void on_step(int signal, siginfo_t* info, void* context) {
  if (open_count == 0) {
    pass_on(before_of_steps, signal, info, context);
    return;
  }
  while (open_count > 0) {
    // Memory that was given back meanwhile is closed already.
    char* page = open_pages[--open_count];
    if (memory_at(page).kind == MemoryKind::kDevice) mprotect(page, kPage, PROT_NONE);
  }
  stop_after_instruction(context, false);
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction& before) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &before);
}

}  // namespace

void watch_host_accesses() {
  static std::once_flag once;
  std::call_once(once, [] {
    handle(SIGSEGV, &on_fault, before_of_faults);
    handle(SIGTRAP, &on_step, before_of_steps);
  });
}

}  // namespace placecheck::cuda
