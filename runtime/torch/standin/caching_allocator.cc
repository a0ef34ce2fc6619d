// c10::cuda::CUDACachingAllocator over the virtual devices' memory.
//
// The releases of PyTorch differ in which functions the base class declares and with which
// parameters; functions are written without `override` where a release lacks them.
#include <c10/cuda/CUDACachingAllocator.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/devices/machine.h"
#include "runtime/torch/standin/refusal.h"
#include "runtime/torch/standin/release.h"
#include "runtime/torch/virtual_cuda/device_statistics.h"
#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/memory.h"
#include "runtime/torch/virtual_cuda/memory_use.h"

#pragma GCC diagnostic ignored "-Wsuggest-override"
#pragma GCC diagnostic ignored "-Woverloaded-virtual"

namespace c10::cuda::CUDACachingAllocator {
namespace {

namespace virtual_cuda = placecheck::virtual_cuda;

// Of one block, which is in use.
SegmentInfo segment_of(const placecheck::devices::Extent& extent) {
  SegmentInfo segment;
  segment.device = static_cast<DeviceIndex>(extent.device);
  segment.address = reinterpret_cast<std::size_t>(extent.begin);
  segment.requested_size = extent.bytes;
  segment.total_size = virtual_cuda::counted_bytes(extent.bytes);
  segment.allocated_size = segment.active_size = segment.total_size;
  BlockInfo& block = segment.blocks.emplace_back();
  block.size = segment.total_size;
  block.requested_size = extent.bytes;
  block.allocated = block.active = true;
  return segment;
}

class VirtualAllocator final : public CUDAAllocator {
 public:
  DataPtr allocate(std::size_t bytes) override {
    return virtual_cuda::device_allocator()->allocate(bytes);
  }
  DeleterFnPtr raw_deleter() const override { return &virtual_cuda::free_raw; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
  void* raw_alloc(std::size_t bytes) override { return virtual_cuda::allocate_raw(bytes); }
  void* raw_alloc_with_stream(std::size_t bytes, cudaStream_t /*stream*/) override {
    return virtual_cuda::allocate_raw(bytes);
  }
  void raw_delete(void* address) override { virtual_cuda::free_raw(address); }

  void init(int /*device_count*/) override {}
  bool initialized() override { return true; }
  void enable(bool /*is_enabled*/) override {}
  bool isEnabled() const override { return true; }
  std::string name() override { return "native"; }
  void emptyCache() { virtual_cuda::release_reserved_memory(); }
  void emptyCache(MempoolId_t /*pool*/) { emptyCache(); }
  void recordStream(const DataPtr& /*data*/, CUDAStream /*stream*/) override {}
  void recordStream(const DataPtr& /*data*/, c10::Stream /*stream*/) {}

  double getMemoryFraction(DeviceIndex index) override {
    return virtual_cuda::memory_fraction(index);
  }
  void setMemoryFraction(double fraction, DeviceIndex index) override {
    virtual_cuda::set_memory_fraction(index, fraction);
  }
  void cacheInfo(DeviceIndex /*index*/, std::size_t* largest_block) override { *largest_block = 0; }
  void* getBaseAllocation(void* address, std::size_t* bytes) override {
    placecheck_refuse("CUDACachingAllocator::getBaseAllocation");
    return bytes == nullptr ? nullptr : address;
  }

  CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex index) override {
    return virtual_cuda::device_statistics(index);
  }
  std::pair<std::size_t, std::size_t> getMemoryInfo(DeviceIndex index) {
    return {virtual_cuda::free_memory(index), virtual_cuda::memory_limit()};
  }
  void resetAccumulatedStats(DeviceIndex index) override {
    virtual_cuda::reset_accumulated_memory(index);
  }
  void resetPeakStats(DeviceIndex index) override { virtual_cuda::reset_peak_memory(index); }

  // A segment for each block: nothing is kept for later.
  SnapshotInfo snapshot() {
    SnapshotInfo info;
    for (DeviceIndex index = 0; index < virtual_cuda::device_count(); ++index) {
      for (const auto& extent : placecheck::devices::machine().extents_on(index)) {
        info.segments.push_back(segment_of(extent));
      }
    }
    return info;
  }
  SnapshotInfo snapshot(MempoolId_t /*pool*/) { return snapshot(); }
  SnapshotInfo snapshot(MempoolId_t /*pool*/, bool /*has_traces*/) { return snapshot(); }
#if PLACECHECK_HAS_SEGMENT_SIZES
  std::vector<StreamSegmentSize> getExpandableSegmentSizes(DeviceIndex /*index*/) override {
    return {};
  }
#endif

  void beginAllocateToPool(DeviceIndex /*index*/, MempoolId_t /*pool*/,
                           std::function<bool(cudaStream_t)> /*filter*/) override {
    placecheck_refuse("private memory pools");
  }
  void endAllocateToPool(DeviceIndex /*index*/, MempoolId_t /*pool*/) override {}
  void releasePool(DeviceIndex /*index*/, MempoolId_t /*pool*/) override {}
  std::shared_ptr<AllocatorState> getCheckpointState(DeviceIndex /*index*/,
                                                     MempoolId_t /*pool*/) override {
    placecheck_refuse("checkpoints of private memory pools");
  }
  CheckpointDelta setCheckpointPoolState(DeviceIndex /*index*/,
                                         std::shared_ptr<AllocatorState> /*state*/) override {
    placecheck_refuse("checkpoints of private memory pools");
  }

  ShareableHandle shareIpcHandle(void* /*address*/) override {
    placecheck_refuse("CUDA IPC handles");
  }
  std::shared_ptr<void> getIpcDevPtr(std::string /*handle*/) override {
    placecheck_refuse("CUDA IPC handles");
  }

  bool isHistoryEnabled() override { return false; }
  void recordHistory(bool /*is_enabled*/, CreateContextFn /*recorder*/, std::size_t /*entries*/,
                     RecordContext /*when*/) {}
  void recordHistory(bool /*is_enabled*/, CreateContextFn /*recorder*/, std::size_t /*entries*/,
                     RecordContext /*when*/, bool /*clears*/) {}
  void recordHistory(bool /*is_enabled*/, CreateContextFn /*recorder*/, std::size_t /*entries*/,
                     RecordContext /*when*/, bool /*clears*/,
                     const std::vector<std::string>& /*skipped*/) {}
  void attachOutOfMemoryObserver(OutOfMemoryObserver /*observer*/) override {}
#if PLACECHECK_HAS_REJECTION_OBSERVERS
  void attachOomRejectionObserver(OomRejectionObserver /*observer*/) override {}
#endif
  void attachAllocatorTraceTracker(AllocatorTraceTracker /*tracker*/) override {}

  void enablePeerAccess(DeviceIndex /*index*/, DeviceIndex /*peer*/) override {}
  cudaError_t memcpyAsync(void* to, int /*to_device*/, const void* from, int /*from_device*/,
                          std::size_t bytes, cudaStream_t /*stream*/, bool /*has_peers*/) override {
    std::memcpy(to, from, bytes);
    return cudaSuccess;
  }
};

CUDAAllocator* the_allocator() {
  static auto* allocator = new VirtualAllocator;
  return allocator;
}

}  // namespace

std::atomic<CUDAAllocator*> allocator{the_allocator()};

#if !PLACECHECK_TORCH_AT_LEAST(2, 8)
void setAllocatorSettings(const std::string& /*settings*/) {}
#endif

}  // namespace c10::cuda::CUDACachingAllocator
