#include "runtime/backend/virtual/virtual_backend.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/backend/virtual/virtual_device.h"
#include "runtime/core/check.h"
#include "runtime/core/visible_devices.h"
#include "runtime/devices/properties.h"

namespace placecheck::runtime {
namespace {

std::string uuid_of(std::size_t physical) {
  char text[64];
  std::snprintf(text, sizeof text, "GPU-%08zx-0000-0000-0000-000000000000", 0x9e8d35e3 + physical);
  return text;
}

std::vector<PhysicalDevice> as_physical(const std::vector<VirtualGpu>& gpus) {
  std::vector<PhysicalDevice> devices;
  devices.reserve(gpus.size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    devices.push_back({uuid_of(i), gpus[i].multi_processor_count, static_cast<std::int64_t>(i)});
  }
  return devices;
}

struct KernelCall {
  const KernelEntry* entry;
  const void* kernel;
  std::int64_t count;
  void operator()() const {
    try {
      entry->host(kernel, 0, count);
    } catch (const KernelAssertion&) {
      throw Error(cuda_error_text("device-side assert triggered"));
    }
  }
};

struct Transfer {
  Copy copy;
  void operator()() const { std::memmove(copy.to, copy.from, copy.bytes); }
};

// A stream counts numbers, not bytes.
std::int64_t work_of(const Copy& copy) {
  return static_cast<std::int64_t>(copy.bytes / sizeof(float));
}

class VirtualBackend : public Backend {
 public:
  explicit VirtualBackend(const VirtualOptions& options)
      : options_(options),
        physical_(visible_devices(as_physical(options.gpus), std::getenv("CUDA_VISIBLE_DEVICES"),
                                  std::getenv("CUDA_DEVICE_ORDER"))) {
    for (std::size_t i = 0; i < physical_.size(); ++i) {
      devices_.push_back(std::make_unique<VirtualDevice>(options_, options_.gpus[physical_[i]],
                                                         static_cast<int>(i)));
    }
  }

  std::string_view name() const override { return "virtual"; }
  int device_count() const override { return static_cast<int>(devices_.size()); }

  DeviceProperties properties(DeviceIndex index) const override {
    const VirtualGpu& gpu = device(index).gpu();
    return {.name = gpu.name,
            .uuid = uuid_of(physical_[static_cast<std::size_t>(index)]),
            .major = devices::kProperties.major,
            .minor = devices::kProperties.minor,
            .total_memory = gpu.memory,
            .multi_processor_count = gpu.multi_processor_count};
  }

  MemoryInfo memory(DeviceIndex index) const override {
    const Arena& arena = device(index).arena();
    return {arena.capacity() - arena.used(), arena.capacity()};
  }

  void* allocate(StreamId stream, std::size_t bytes) override {
    return device(stream.device).allocate(bytes, stream.id);
  }
  void release(DeviceIndex index, void* data) noexcept override { device(index).release(data); }
  void* allocate_pinned(std::size_t bytes) override { return std::malloc(bytes == 0 ? 1 : bytes); }
  void release_pinned(void* data) noexcept override {
    // Copies from it may be under way.
    for (auto& device : devices_) device->settle();
    std::free(data);
  }

  void launch(StreamId stream, const Launch& launch) override {
    check_accesses(stream.device, launch.pointers);
    VirtualStream& queue = at(stream);
    KernelCall call{launch.entry, launch.kernel, launch.count};
    if (!queue.run_at_once(launch.work, call)) enqueue_kernel(queue, launch);
  }

  void copy(const Copy& copy) override;

  StreamId new_stream(DeviceIndex index) override { return {index, device(index).add_stream()}; }
  std::shared_ptr<Event> record(StreamId stream) override { return at(stream).record(); }
  void wait(StreamId stream, const std::shared_ptr<Event>& event) override {
    if (!event->is_done()) at(stream).enqueue([event] { event->synchronize(); });
  }
  void synchronize(StreamId stream) override { at(stream).drain(); }
  void synchronize_device(DeviceIndex index) override { device(index).synchronize(); }

 private:
  // A small kernel travels in a small task: most have a few pointers and numbers.
  static void enqueue_kernel(VirtualStream& queue, const Launch& launch) {
    constexpr std::size_t kSmall = 96;
    if (launch.kernel_bytes <= kSmall) {
      enqueue_sized<kSmall>(queue, launch);
    } else {
      enqueue_sized<kMaxKernelBytes>(queue, launch);
    }
  }

  template <std::size_t kSize>
  static void enqueue_sized(VirtualStream& queue, const Launch& launch) {
    struct Task {
      alignas(std::max_align_t) std::array<std::byte, kSize> kernel;
      const KernelEntry* entry;
      std::int64_t count;
      void operator()() const { KernelCall{entry, kernel.data(), count}(); }
    };
    Task task{{}, launch.entry, launch.count};
    std::memcpy(task.kernel.data(), launch.kernel, launch.kernel_bytes);
    queue.enqueue(task);
  }

  void check_accesses(DeviceIndex index, std::span<const void* const> pointers) const {
    const Arena& arena = device(index).arena();
    for (const void* pointer : pointers) {
      if (pointer == nullptr || arena.contains(pointer)) continue;
      throw Error(cuda_error_text("an illegal memory access was encountered"));
    }
  }

  VirtualDevice& device(DeviceIndex index) const {
    check_ordinal(*this, index);
    return *devices_[static_cast<std::size_t>(index)];
  }
  VirtualStream& at(StreamId stream) const { return device(stream.device).stream(stream.id); }

  void copy_from_host(const Copy& copy);
  void copy_to_host(const Copy& copy);
  void copy_between(const Copy& copy);

  VirtualOptions options_;
  std::vector<std::size_t> physical_;
  std::vector<std::unique_ptr<VirtualDevice>> devices_;
};

void VirtualBackend::copy(const Copy& copy) {
  if (copy.bytes == 0) return;
  if (copy.from_device.is_cpu()) {
    copy_from_host(copy);
  } else if (copy.to_device.is_cpu()) {
    copy_to_host(copy);
  } else {
    copy_between(copy);
  }
}

// Pageable memory is staged unless it is read at once, so that the caller may write it again.
void VirtualBackend::copy_from_host(const Copy& copy) {
  check_accesses(copy.to_stream.device, std::array<const void*, 1>{copy.to});
  VirtualStream& stream = at(copy.to_stream);
  if (copy.is_asynchronous) return stream.submit(work_of(copy), Transfer{copy});
  struct Staged {
    Copy copy;
    std::shared_ptr<char[]> bytes;
    void operator()() const { std::memcpy(copy.to, bytes.get(), copy.bytes); }
  };
  if (stream.run_at_once(work_of(copy), Transfer{copy})) return;
  Staged staged{copy, std::shared_ptr<char[]>(new char[copy.bytes])};
  std::memcpy(staged.bytes.get(), copy.from, copy.bytes);
  stream.enqueue(staged);
}

void VirtualBackend::copy_to_host(const Copy& copy) {
  check_accesses(copy.from_stream.device, std::array<const void*, 1>{copy.from});
  at(copy.from_stream).submit(work_of(copy), Transfer{copy});
  if (!copy.is_asynchronous) at(copy.from_stream).drain();
}

// Runs on the source's stream, between what both streams did before and do after.
void VirtualBackend::copy_between(const Copy& copy) {
  check_accesses(copy.from_stream.device, std::array<const void*, 1>{copy.from});
  check_accesses(copy.to_stream.device, std::array<const void*, 1>{copy.to});
  bool has_two_streams = copy.from_stream != copy.to_stream;
  if (has_two_streams) wait(copy.from_stream, record(copy.to_stream));
  at(copy.from_stream).submit(work_of(copy), Transfer{copy});
  if (has_two_streams) wait(copy.to_stream, record(copy.from_stream));
}

}  // namespace

std::unique_ptr<Backend> make_virtual_backend(const VirtualOptions& options) {
  return std::make_unique<VirtualBackend>(options);
}

}  // namespace placecheck::runtime
