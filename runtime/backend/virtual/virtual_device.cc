#include "runtime/backend/virtual/virtual_device.h"

#include <cstring>

#include "runtime/core/check.h"

namespace placecheck::runtime {
namespace {

constexpr std::size_t kMargin = 64;
constexpr unsigned char kCanary = 0xC5;
// All bits set: a NaN in every floating type, and no index.
constexpr unsigned char kPoison = 0xFF;

bool is_filled(const char* bytes, std::size_t count, unsigned char with) {
  for (std::size_t i = 0; i < count; ++i) {
    if (static_cast<unsigned char>(bytes[i]) != with) return false;
  }
  return true;
}

}  // namespace

VirtualDevice::VirtualDevice(const VirtualOptions& options, const VirtualGpu& gpu, int number)
    : options_(options),
      gpu_(gpu),
      number_(number),
      arena_(gpu.memory),
      block_(devices::Extent{.device = number,
                             .begin = arena_.begin(),
                             .bytes = static_cast<std::size_t>(arena_.capacity())}) {
  devices::machine().add(block_);
  add_stream();
}

VirtualDevice::~VirtualDevice() { devices::machine().remove(block_); }

std::size_t VirtualDevice::margin() const { return options_.has_guards ? kMargin : 0; }

void* VirtualDevice::allocate(std::size_t bytes, int stream_id) {
  std::size_t asked = bytes + 2 * margin();
  auto block = arena_.allocate(asked, stream_id);
  if (!block) {
    synchronize();
    arena_.forget_streams();
    block = arena_.allocate(asked, stream_id);
  }
  if (!block) throw_out_of_memory(bytes);
  if (options_.has_guards) guard(*block);
  return static_cast<char*>(arena_.address(*block)) + margin();
}

// The margins are written in the stream's order: the block's last user may not be done.
void VirtualDevice::guard(const Arena::Block& block) {
  auto* start = static_cast<char*>(arena_.address(block));
  stream(block.stream).submit(2 * kMargin, [start, asked = block.asked] {
    std::memset(start, kCanary, kMargin);
    std::memset(start + asked - kMargin, kCanary, kMargin);
  });
}

void VirtualDevice::release(void* data) noexcept {
  Arena::Block block = arena_.block_of(static_cast<char*>(data) - margin());
  if (options_.has_guards) {
    auto work = static_cast<std::int64_t>(block.asked);
    stream(block.stream).submit(work, [this, block] { retire(block); });
  }
  arena_.release(block);
}

void VirtualDevice::retire(const Arena::Block& block) const {
  auto* start = static_cast<char*>(arena_.address(block));
  std::size_t bytes = block.asked - 2 * kMargin;
  bool is_intact = is_filled(start, kMargin, kCanary) &&
                   is_filled(start + block.asked - kMargin, kMargin, kCanary);
  std::memset(start, kPoison, block.asked);
  check(is_intact, "virtual device ", number_, ": memory was written beside a block of ", bytes,
        " bytes");
}

VirtualStream& VirtualDevice::stream(int id) {
  std::lock_guard lock(mutex_);
  if (id < 0 || id >= static_cast<int>(streams_.size())) {
    throw Error(cuda_error_text("invalid resource handle"));
  }
  return *streams_[static_cast<std::size_t>(id)];
}

int VirtualDevice::add_stream() {
  std::lock_guard lock(mutex_);
  auto identity = (static_cast<std::uint64_t>(number_) << 32) + streams_.size();
  streams_.push_back(std::make_unique<VirtualStream>(options_, identity));
  return static_cast<int>(streams_.size()) - 1;
}

std::size_t VirtualDevice::stream_count() {
  std::lock_guard lock(mutex_);
  return streams_.size();
}

void VirtualDevice::synchronize() {
  std::size_t count = stream_count();
  for (std::size_t id = 0; id < count; ++id) stream(static_cast<int>(id)).drain();
}

void VirtualDevice::settle() noexcept {
  std::size_t count = stream_count();
  for (std::size_t id = 0; id < count; ++id) stream(static_cast<int>(id)).settle();
}

void VirtualDevice::throw_out_of_memory(std::size_t bytes) const {
  std::int64_t total = arena_.capacity();
  std::int64_t used = arena_.used();
  throw OutOfMemoryError(text_of(
      "CUDA out of memory. Tried to allocate ", memory_text(static_cast<std::int64_t>(bytes)),
      ". GPU ", number_, " has a total capacity of ", memory_text(total), " of which ",
      memory_text(total - used), " is free. Including non-PyTorch memory, this process has ",
      memory_text(used), " memory in use. Of the allocated memory ", memory_text(used),
      " is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated. If reserved "
      "but unallocated memory is large try setting "
      "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation "
      "for Memory Management  "
      "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)"));
}

}  // namespace placecheck::runtime
