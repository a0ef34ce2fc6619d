// The machine: extents by address, memory that is charged, and one machine for all libraries of a
// process.
#include "runtime/devices/machine.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <thread>
#include <vector>

namespace placecheck::devices {
namespace {

Extent extent_at(std::uintptr_t begin, std::size_t bytes, int device = 0) {
  return {MemoryKind::kDevice, device, reinterpret_cast<char*>(begin), bytes, nullptr};
}

int device_at(std::uintptr_t address) {
  const auto extent = machine().find(reinterpret_cast<void*>(address));
  return extent ? extent->device : -1;
}

TEST(MachineTest, AddressesAreFoundWithinTheirExtents) {
  Block small(extent_at(0x10000000, 64, 1));
  Block straddling(extent_at(0x1000fff0, 64, 2));
  Block empty(extent_at(0x10020000, 0, 3));
  Block large(extent_at(0x20000000, std::size_t{1} << 24, 4));
  for (Block* block : {&small, &straddling, &empty, &large}) machine().add(*block);
  EXPECT_EQ(device_at(0x0fffffff), -1);
  EXPECT_EQ(device_at(0x10000000), 1);
  EXPECT_EQ(device_at(0x1000003f), 1);
  EXPECT_EQ(device_at(0x10000040), -1);
  EXPECT_EQ(device_at(0x10010020), 2) << "in the next 64 KiB";
  EXPECT_EQ(device_at(0x10020000), 3);
  EXPECT_EQ(device_at(0x10020001), -1);
  EXPECT_EQ(device_at(0x20ffffff), 4);
  EXPECT_EQ(device_at(0x21000000), -1);
  machine().remove(small);
  EXPECT_EQ(device_at(0x10000000), -1);
  for (Block* block : {&straddling, &empty, &large}) machine().remove(*block);
  EXPECT_EQ(device_at(0x20000000), -1);
}

TEST(MachineTest, ThreadsAddAndRemoveAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kBlocks = 2000;
  std::vector<std::thread> threads;
  std::vector<int> wrong(kThreads, 0);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t, &wrong] {
      std::deque<Block> blocks;
      for (int i = 0; i < kBlocks; ++i) {
        const auto begin = static_cast<std::uintptr_t>(0x40000000 + (i * kThreads + t) * 128);
        machine().add(blocks.emplace_back(extent_at(begin, 128, t)));
        if (device_at(begin + 127) != t) ++wrong[static_cast<std::size_t>(t)];
        if (i % 3 == 0) {
          machine().remove(blocks.back());
          blocks.pop_back();
        }
      }
      for (Block& block : blocks) machine().remove(block);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
  EXPECT_EQ(device_at(0x40000080), -1);
}

TEST(MachineTest, ADeviceIsChargedUpToItsLimit) {
  const std::size_t limit = machine().memory_limit();
  EXPECT_TRUE(machine().charge(1, limit));
  EXPECT_FALSE(machine().charge(1, 1));
  EXPECT_TRUE(machine().charge(0, 1)) << "another device";
  EXPECT_EQ(machine().used(1), limit);
  machine().discharge(1, limit);
  machine().discharge(0, 1);
  EXPECT_FALSE(machine().charge(1, limit + 1));
  EXPECT_EQ(machine().used(1), 0u);
}

TEST(MachineTest, TheCurrentDeviceIsAThreadsOwn) {
  machine().current_device() = 1;
  int of_thread = -1;
  std::thread([&of_thread] { of_thread = machine().current_device(); }).join();
  EXPECT_EQ(of_thread, 0);
  EXPECT_EQ(machine().current_device(), 1);
  machine().current_device() = 0;
}

TEST(MachineTest, AForkedChildFindsWhatWasThere) {
  Block block(extent_at(0x50000000, 64, 1));
  machine().add(block);
  const pid_t child = fork();
  if (child == 0) _exit(device_at(0x50000001) == 1 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  machine().remove(block);
}

// As extensions of an interpreter are opened: neither sees the other's symbols.
Machine* machine_of(const char* library) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  if (handle == nullptr) return nullptr;
  using Function = Machine* (*)();
  const auto function = reinterpret_cast<Function>(dlsym(handle, "the_machine_of_this_library"));
  return function();
}

TEST(MachineTest, AllLibrariesOfAProcessHaveOneMachine) {
#if defined(__clang__)
  GTEST_SKIP() << "Clang makes no unique symbols: libraries share what the linker shows them";
#endif
  Machine* const first = machine_of("tests/runtime/devices/libfirst_machine.so");
  Machine* const second = machine_of("tests/runtime/devices/libsecond_machine.so");
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, &machine());
}

}  // namespace
}  // namespace placecheck::devices
