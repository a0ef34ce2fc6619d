#include "runtime/devices/machine.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <iostream>
#include <string>

#include "runtime/core/virtual_devices.h"
#include "runtime/devices/extent_register.h"

namespace placecheck::devices {
inline namespace PLACECHECK_MACHINE_VERSION {

// Not in an anonymous namespace, and inline: GCC makes it STB_GNU_UNIQUE, of which a process has
// one, even where libraries are opened with RTLD_LOCAL.
[[gnu::visibility("default")]] inline std::atomic<Machine*> the_machine{nullptr};
// The process that has counted its devices.
[[gnu::visibility("default")]] inline std::atomic<pid_t> counting_process{0};

}  // namespace PLACECHECK_MACHINE_VERSION

namespace {

thread_local int current = 0;

void complain(const std::string& sentence) { std::cerr << "placecheck: " << sentence << '\n'; }

class ThisMachine final : public Machine {
 public:
  int device_count() override {
    static const int kCount = [] {
      counting_process = getpid();
      return runtime::count_visible_virtual_devices(complain);
    }();
    return kCount;
  }
  int& current_device() noexcept override { return current; }

  void add(Block& block) override { extents_.add(block); }
  void remove(Block& block) noexcept override { extents_.remove(block); }
  std::optional<Extent> find(const void* address) noexcept override {
    return extents_.find(address);
  }
  std::vector<Extent> extents_on(int device) override { return extents_.on(device); }

  std::size_t memory_limit() override {
    static const std::size_t kBytes = runtime::virtual_memory_bytes(complain);
    return kBytes;
  }
  bool charge(int device, std::size_t bytes) noexcept override {
    const std::size_t limit = memory_limit();
    std::atomic<std::size_t>& used = used_of(device);
    const std::size_t before = used.fetch_add(bytes, std::memory_order_relaxed);
    if (bytes <= limit && before <= limit - bytes) [[likely]] {
      return true;
    }
    used.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  void discharge(int device, std::size_t bytes) noexcept override {
    used_of(device).fetch_sub(bytes, std::memory_order_relaxed);
  }
  std::size_t used(int device) noexcept override {
    return used_of(device).load(std::memory_order_relaxed);
  }

  int sticky_error() const noexcept override {
    return sticky_error_.load(std::memory_order_relaxed);
  }
  void set_sticky_error(int code) noexcept override { sticky_error_ = code; }

  ExtentRegister& extents() { return extents_; }

 private:
  // Numbers that are no device's share the last one's: they are refused elsewhere.
  std::atomic<std::size_t>& used_of(int device) {
    const auto index = static_cast<std::size_t>(device);
    return used_[index < used_.size() ? index : used_.size() - 1];
  }

  ExtentRegister extents_;
  std::array<std::atomic<std::size_t>, runtime::kMostVirtualDevices> used_{};
  std::atomic<int> sticky_error_{0};
};

ExtentRegister* extents_of_process = nullptr;

Machine* find_or_make() {
  if (Machine* known = the_machine.load(std::memory_order_acquire)) return known;
  auto* made = new ThisMachine;
  Machine* expected = nullptr;
  if (!the_machine.compare_exchange_strong(expected, made)) {
    delete made;
    return expected;
  }
  extents_of_process = &made->extents();
  pthread_atfork([] { extents_of_process->lock_all(); }, [] { extents_of_process->unlock_all(); },
                 [] { extents_of_process->unlock_all(); });
  return made;
}

}  // namespace

inline namespace PLACECHECK_MACHINE_VERSION {

Machine& machine() {
  static Machine* const kMachine = find_or_make();
  return *kMachine;
}

bool has_counted_devices() noexcept { return counting_process == getpid(); }

}  // namespace PLACECHECK_MACHINE_VERSION

}  // namespace placecheck::devices
