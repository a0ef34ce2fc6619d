// The handler of the host's accesses to a device's memory interrupts the program anywhere: it takes
// no lock and no memory, and never runs for ever.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/runtime/cuda/sanitizers.h"

namespace {

// Whether this thread is in a handler's place, and what it did there.
thread_local bool is_watched = false;
std::atomic<int> allocations{0};
std::atomic<int> locks{0};

// A pointer to memory of a device, to be read while the process forks.
volatile int* read_at_fork = nullptr;

std::string report_file() { return testing::TempDir() + "host_access_report"; }

int count_reports() {
  int count = 0;
  std::ifstream in(report_file());
  for (std::string line; std::getline(in, line);) {
    count += line.starts_with("cuda-pointer-placement: the host: Segmentation fault");
  }
  return count;
}

volatile int* device_memory() {
  int* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
  return memory;
}

// Before CUDA is used: the variable is read once. What is registered first runs last of those that
// prepare a fork: after the register of memory has locked itself.
class HostAccessTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::remove(report_file().c_str());
    setenv("PLACECHECK_CUDA_REPORT", report_file().c_str(), 1);
    pthread_atfork([] { read_at_fork != nullptr ? void(*read_at_fork) : void(); }, nullptr,
                   nullptr);
  }
  void SetUp() override {
    // A report from a signal is lawful where the program itself raised it.
    if (placecheck::cuda::kHasThreadSanitizer) GTEST_SKIP();
  }
};

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" void* __libc_malloc(std::size_t bytes);  // NOLINT(bugprone-reserved-identifier)

extern "C" void* malloc(std::size_t bytes) {
  if (is_watched) ++allocations;
  return __libc_malloc(bytes);
}

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto kLock = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  if (is_watched) ++locks;
  return kLock(mutex);
}

namespace {

TEST_F(HostAccessTest, TheHandlerNeitherAllocatesNorLocks) {
  volatile int* memory = device_memory();
  const int before = count_reports();
  is_watched = true;
  memory[0] = 5;
  is_watched = false;
  EXPECT_EQ(count_reports(), before + 1);
  EXPECT_EQ(allocations, 0);
  EXPECT_EQ(locks, 0);
  is_watched = true;
  operator delete(operator new(64));
  is_watched = false;
  EXPECT_EQ(allocations, 1) << "the test counts";
}

}  // namespace
#endif

namespace {

TEST_F(HostAccessTest, TheRegisterOfMemoryMayBeLocked) {
  read_at_fork = device_memory();
  const int before = count_reports();
  const pid_t child = fork();
  read_at_fork = nullptr;
  if (child == 0) _exit(0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(count_reports(), before + 1);
}

// A child has no thread that writes reports until it asks for memory.
TEST_F(HostAccessTest, AForkedChildGoesOn) {
  volatile int* memory = device_memory();
  const int before = count_reports();
  const pid_t child = fork();
  if (child == 0) {
    memory[1] = 7;
    volatile int* own = device_memory();
    own[1] = memory[1];
    _exit(own[1] == 7 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_GT(count_reports(), before);
}

// The loader is locked by the code that is interrupted, and wanted by the thread that names its
// functions: the program goes on after a deadline.
TEST_F(HostAccessTest, TheInterruptedCodeMayHoldWhatTheReportNeeds) {
  volatile int* memory = device_memory();
  const int before = count_reports();
  dl_iterate_phdr(
      [](dl_phdr_info*, std::size_t, void* data) {
        *static_cast<volatile int*>(data) = 3;
        return 1;
      },
      const_cast<int*>(memory));
  for (int i = 0; i < 200 && count_reports() == before; ++i) usleep(50000);
  EXPECT_EQ(count_reports(), before + 1);
}

TEST_F(HostAccessTest, AJumpIntoADevicesMemoryEndsTheProgram) {
  using Function = void (*)();
  const auto function =
      reinterpret_cast<Function>(reinterpret_cast<std::uintptr_t>(device_memory()));
  EXPECT_EXIT(
      {
        alarm(20);
        function();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

// What another process sends is not ours: it ends the program as ever, it is not swallowed.
TEST_F(HostAccessTest, SignalsThatAreSentArePassedOn) {
  device_memory();
  for (const int signal : {SIGSEGV, SIGTRAP}) {
    EXPECT_EXIT(
        {
          kill(getpid(), signal);
          exit(0);
        },
        testing::KilledBySignal(signal), "");
  }
}

}  // namespace
