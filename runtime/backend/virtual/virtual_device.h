// One virtual GPU: its memory, its streams, and the guards around its blocks.
#ifndef PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_DEVICE_H_
#define PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_DEVICE_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/backend/virtual/arena.h"
#include "runtime/backend/virtual/stream.h"
#include "runtime/devices/machine.h"

namespace placecheck::runtime {

class VirtualDevice {
 public:
  // `number` is the logical one.
  VirtualDevice(const VirtualOptions& options, const VirtualGpu& gpu, int number);
  ~VirtualDevice();
  VirtualDevice(const VirtualDevice&) = delete;
  VirtualDevice& operator=(const VirtualDevice&) = delete;

  void* allocate(std::size_t bytes, int stream);
  void release(void* data) noexcept;

  VirtualStream& stream(int id);
  int add_stream();
  // Waits for every stream; throws what the first that failed has to say.
  void synchronize();
  // Waits as long, but leaves what went wrong to the next synchronize().
  void settle() noexcept;

  const Arena& arena() const { return arena_; }
  const VirtualGpu& gpu() const { return gpu_; }

 private:
  std::size_t stream_count();
  std::size_t margin() const;
  void guard(const Arena::Block& block);
  void retire(const Arena::Block& block) const;
  [[noreturn]] void throw_out_of_memory(std::size_t bytes) const;

  const VirtualOptions& options_;
  VirtualGpu gpu_;
  int number_;
  Arena arena_;
  devices::Block block_;  // all of the arena, as the process knows it
  std::mutex mutex_;
  std::vector<std::unique_ptr<VirtualStream>> streams_;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_DEVICE_H_
