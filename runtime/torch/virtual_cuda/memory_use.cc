#include "runtime/torch/virtual_cuda/memory_use.h"

#include <c10/util/Exception.h>
#include <torch/version.h>

#include <array>
#include <atomic>
#include <iomanip>
#include <sstream>
#include <string>

#include "runtime/devices/machine.h"
#include "runtime/torch/virtual_cuda/devices.h"

namespace placecheck::virtual_cuda {
namespace {

// Of CUDACachingAllocator.cpp: blocks are multiples of the first, segments of the second.
constexpr std::size_t kBlockBytes = 512;
constexpr std::size_t kExabyte = std::size_t{1} << 60;
constexpr std::int64_t kSegmentBytes = std::int64_t{2} << 20;

using Count = std::atomic<std::int64_t>;

std::int64_t value(const Count& count) { return count.load(std::memory_order_relaxed); }

void raise_to(Count& peak, std::int64_t now) {
  std::int64_t before = value(peak);
  while (before < now && !peak.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
}

struct Statistic {
  Count current{0};
  Count peak{0};
  Count added{0};

  void add(std::int64_t amount) {
    raise_to(peak, current.fetch_add(amount, std::memory_order_relaxed) + amount);
    added.fetch_add(amount, std::memory_order_relaxed);
  }
  void remove(std::int64_t amount) { current.fetch_sub(amount, std::memory_order_relaxed); }
  MemoryStatistic read() const {
    return {value(current), value(peak), value(added), value(added) - value(current)};
  }
  void reset_peak() { peak = value(current); }
  void reset_accumulated() { added = value(current); }
};

struct Device {
  Statistic allocated;
  Statistic blocks;
  Count reserved{0};
  Count reserved_peak{0};
  Count errors{0};
  std::atomic<double> fraction{1};
};

Device& device(c10::DeviceIndex index) {
  static auto* devices = new std::array<Device, kMostDevices>;
  return devices->at(static_cast<std::size_t>(index));
}

std::int64_t in_segments(std::int64_t bytes) {
  return (bytes + kSegmentBytes - 1) / kSegmentBytes * kSegmentBytes;
}

std::int64_t reserved_by(const Device& device) {
  return std::max(value(device.reserved), in_segments(value(device.allocated.current)));
}

// CUDACachingAllocator.cpp, format_size.
std::string size_text(std::size_t bytes) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2);
  if (bytes <= 1024) {
    text << bytes << " bytes";
  } else if (bytes <= 1048576) {
    text << static_cast<double>(bytes) / 1024.0 << " KiB";
  } else if (bytes <= 1073741824ULL) {
    text << static_cast<double>(bytes) / 1048576.0 << " MiB";
  } else {
    text << static_cast<double>(bytes) / 1073741824.0 << " GiB";
  }
  return text.str();
}

std::string size_text(std::int64_t bytes) { return size_text(static_cast<std::size_t>(bytes)); }

std::string out_of_memory_text(c10::DeviceIndex index, std::size_t bytes) {
  const Device& of = device(index);
  const std::int64_t allocated = value(of.allocated.current);
  const std::int64_t reserved = reserved_by(of);
  if (bytes >= kExabyte) return "CUDA out of memory. Tried to allocate more than 1EB memory.";
  const std::string tried = "CUDA out of memory. Tried to allocate " + size_text(bytes);
  const std::string gpu = "GPU " + std::to_string(static_cast<int>(index));
#if TORCH_VERSION_MAJOR >= 2
  const std::size_t used = memory_limit() - free_memory(index);
  return tried + ". " + gpu + " has a total capacity of " + size_text(memory_limit()) +
         " of which " + size_text(free_memory(index)) +
         " is free. Including non-PyTorch memory, this process has " + size_text(used) +
         " memory in use. Of the allocated memory " + size_text(allocated) +
         " is allocated by PyTorch, and " + size_text(reserved - allocated) +
         " is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try "
         "setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See "
         "documentation for Memory Management  "
         "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)";
#else
  return tried + " (" + gpu + "; " + size_text(memory_limit()) + " total capacity; " +
         size_text(allocated) + " already allocated; " + size_text(free_memory(index)) + " free; " +
         size_text(reserved) +
         " reserved in total by PyTorch) If reserved memory is >> allocated memory try setting "
         "max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and "
         "PYTORCH_CUDA_ALLOC_CONF";
#endif
}

[[noreturn]] void throw_out_of_memory(c10::DeviceIndex index, std::size_t bytes) {
  ++device(index).errors;
  C10_THROW_ERROR(OutOfMemoryError, out_of_memory_text(index, bytes));
}

bool is_within_fraction(const Device& of, std::size_t bytes) {
  const double fraction = of.fraction.load(std::memory_order_relaxed);
  if (fraction >= 1) [[likely]] {
    return true;
  }
  const auto allocated = static_cast<double>(value(of.allocated.current));
  return allocated + static_cast<double>(bytes) <= fraction * static_cast<double>(memory_limit());
}

}  // namespace

std::size_t counted_bytes(std::size_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

MemoryUse memory_use(c10::DeviceIndex index) {
  const Device& of = device(index);
  MemoryUse use{of.allocated.read(), {}, of.blocks.read(), value(of.errors)};
  const std::int64_t reserved = reserved_by(of);
  const std::int64_t peak = std::max(value(of.reserved_peak), in_segments(use.allocated.peak));
  use.reserved = {reserved, std::max(peak, reserved), std::max(peak, reserved), 0};
  use.reserved.removed = use.reserved.added - reserved;
  return use;
}

void reset_peak_memory(c10::DeviceIndex index) {
  Device& of = device(index);
  of.reserved = reserved_by(of);
  of.reserved_peak = value(of.reserved);
  of.allocated.reset_peak();
  of.blocks.reset_peak();
}

void reset_accumulated_memory(c10::DeviceIndex index) {
  Device& of = device(index);
  of.allocated.reset_accumulated();
  of.blocks.reset_accumulated();
  of.errors = 0;
}

void release_reserved_memory() noexcept {
  for (c10::DeviceIndex i = 0; i < kMostDevices; ++i) {
    Device& of = device(i);
    of.reserved = in_segments(value(of.allocated.current));
  }
}

std::size_t memory_limit() { return devices::machine().memory_limit(); }

std::size_t free_memory(c10::DeviceIndex index) {
  return memory_limit() - devices::machine().used(index);
}

void set_memory_fraction(c10::DeviceIndex index, double fraction) {
  device(index).fraction = fraction;
}

double memory_fraction(c10::DeviceIndex index) { return device(index).fraction; }

void refuse_beyond_limit(c10::DeviceIndex index, std::size_t bytes) {
  if (bytes <= memory_limit()) [[likely]] {
    return;
  }
  throw_out_of_memory(index, bytes);
}

CountedMemory::CountedMemory(c10::DeviceIndex index, std::size_t bytes)
    : index_(index), bytes_(bytes) {
  if (bytes == 0) return;
  Device& of = device(index);
  const std::size_t size = counted_bytes(bytes);
  const bool has_room =
      size >= bytes && is_within_fraction(of, size) && devices::machine().charge(index, size);
  if (!has_room) [[unlikely]] {
    throw_out_of_memory(index, bytes);
  }
  of.allocated.add(static_cast<std::int64_t>(size));
  of.blocks.add(1);
  raise_to(of.reserved, in_segments(value(of.allocated.current)));
}

CountedMemory::~CountedMemory() {
  if (bytes_ == 0) return;
  Device& of = device(index_);
  const std::size_t size = counted_bytes(bytes_);
  devices::machine().discharge(index_, size);
  of.allocated.remove(static_cast<std::int64_t>(size));
  of.blocks.remove(1);
}

}  // namespace placecheck::virtual_cuda
