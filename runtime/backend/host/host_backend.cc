#include "runtime/backend/host/host_backend.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/core/check.h"

#if defined(__SANITIZE_ADDRESS__)
#define PLACECHECK_KEEPS_BLOCKS false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLACECHECK_KEEPS_BLOCKS false
#endif
#endif
#ifndef PLACECHECK_KEEPS_BLOCKS
#define PLACECHECK_KEEPS_BLOCKS true
#endif

namespace placecheck::runtime {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMaxKept = std::size_t{256} << 20;

// A block's own size stands before it, in a line of its own.
class BlockCache {
 public:
  ~BlockCache() {
    for (auto& [size, blocks] : kept_) {
      for (void* block : blocks) std::free(block);
    }
  }

  void* allocate(std::size_t bytes) {
    std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (void* block = take(size)) return block;
    auto* start = static_cast<char*>(std::aligned_alloc(kAlignment, size + kAlignment));
    check<OutOfMemoryError>(start != nullptr,
                            "DefaultCPUAllocator: can't allocate memory: you tried to allocate ",
                            bytes, " bytes. Error code 12 (Cannot allocate memory)");
    std::memcpy(start, &size, sizeof size);
    return start + kAlignment;
  }

  void release(void* data) noexcept {
    char* start = static_cast<char*>(data) - kAlignment;
    std::size_t size = 0;
    std::memcpy(&size, start, sizeof size);
    if (!keep(size, start)) std::free(start);
  }

 private:
  void* take(std::size_t size) {
    std::lock_guard lock(mutex_);
    auto found = kept_.find(size);
    if (found == kept_.end() || found->second.empty()) return nullptr;
    char* start = found->second.back();
    found->second.pop_back();
    kept_bytes_ -= size;
    return start + kAlignment;
  }

  bool keep(std::size_t size, char* start) noexcept {
    std::lock_guard lock(mutex_);
    if (!PLACECHECK_KEEPS_BLOCKS || kept_bytes_ + size > kMaxKept) return false;
    kept_[size].push_back(start);
    kept_bytes_ += size;
    return true;
  }

  std::mutex mutex_;
  std::unordered_map<std::size_t, std::vector<char*>> kept_;
  std::size_t kept_bytes_ = 0;
};

class DoneEvent : public Event {
 public:
  bool is_done() const override { return true; }
  void synchronize() override {}
};

class HostBackend : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  int device_count() const override { return 1; }
  DeviceProperties properties(DeviceIndex) const override { return {.name = "CPU", .uuid = {}}; }
  MemoryInfo memory(DeviceIndex) const override { return {}; }

  void* allocate(StreamId, std::size_t bytes) override { return blocks_.allocate(bytes); }
  void release(DeviceIndex, void* data) noexcept override { blocks_.release(data); }
  void* allocate_pinned(std::size_t bytes) override { return blocks_.allocate(bytes); }
  void release_pinned(void* data) noexcept override { blocks_.release(data); }

  void launch(StreamId, const Launch& launch) override {
    try {
      launch.entry->host(launch.kernel, 0, launch.count);
    } catch (const KernelAssertion&) {
      throw IndexError("index out of range in self");
    }
  }
  void copy(const Copy& copy) override {
    if (copy.bytes != 0) std::memmove(copy.to, copy.from, copy.bytes);
  }

  StreamId new_stream(DeviceIndex) override { return {}; }
  std::shared_ptr<Event> record(StreamId) override { return std::make_shared<DoneEvent>(); }
  void wait(StreamId, const std::shared_ptr<Event>& event) override { event->synchronize(); }
  void synchronize(StreamId) override {}
  void synchronize_device(DeviceIndex) override {}

 private:
  BlockCache blocks_;
};

}  // namespace

std::unique_ptr<Backend> make_host_backend() { return std::make_unique<HostBackend>(); }

}  // namespace placecheck::runtime
