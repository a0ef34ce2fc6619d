// Real GPUs: memory from CUDA's stream-ordered pools, which keep what is freed; streams and events
// of the CUDA runtime. CUDA_VISIBLE_DEVICES is the driver's to read.
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/backend/backend.h"
#include "runtime/backend/cuda/cuda_errors.h"
#include "runtime/backend/cuda/device_kernels.h"
#include "runtime/backend/real_cuda.h"
#include "runtime/core/check.h"

namespace placecheck::runtime {

void throw_cuda_error(cudaError_t status) {
  cudaGetLastError();  // what is sticky stays; the rest is said once
  throw Error(cuda_error_text(cudaGetErrorString(status)));
}

namespace {

constexpr std::chrono::seconds kDeadline{60};

// Waits until `query` no longer answers "not ready"; no wait is longer than the deadline.
template <typename Query>
void wait_until_done(const Query& query, const char* what) {
  auto deadline = std::chrono::steady_clock::now() + kDeadline;
  while (true) {
    cudaError_t status = query();
    if (status != cudaErrorNotReady) return check_cuda(status);
    check<CommunicationError>(std::chrono::steady_clock::now() < deadline, what,
                              " did not finish within ", kDeadline.count(), " s");
    std::this_thread::yield();
  }
}

// The CUDA runtime's current device for a scope; it is not this runtime's own.
class CurrentDevice {
 public:
  explicit CurrentDevice(DeviceIndex device) {
    check_cuda(cudaGetDevice(&previous_));
    if (previous_ != device) check_cuda(cudaSetDevice(device));
  }
  ~CurrentDevice() { cudaSetDevice(previous_); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int previous_ = 0;
};

class CudaEvent : public Event {
 public:
  CudaEvent() { check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~CudaEvent() override { cudaEventDestroy(event_); }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  cudaEvent_t get() const { return event_; }
  bool is_done() const override { return cudaEventQuery(event_) == cudaSuccess; }
  void synchronize() override {
    wait_until_done([this] { return cudaEventQuery(event_); }, "an event");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

class CudaBackend : public Backend {
 public:
  explicit CudaBackend(int devices) : streams_(static_cast<std::size_t>(devices)) {
    install_device_kernels();
    for (DeviceIndex device = 0; device < devices; ++device) {
      keep_freed_memory(device);
      new_stream(device);
    }
  }

  std::string_view name() const override { return "cuda"; }
  int device_count() const override { return static_cast<int>(streams_.size()); }
  DeviceProperties properties(DeviceIndex device) const override;
  MemoryInfo memory(DeviceIndex device) const override;

  void* allocate(StreamId stream, std::size_t bytes) override;
  void release(DeviceIndex device, void* data) noexcept override;
  void* allocate_pinned(std::size_t bytes) override {
    void* data = nullptr;
    check_cuda(cudaMallocHost(&data, bytes == 0 ? 1 : bytes));
    return data;
  }
  // CUDA waits for the copies that use it.
  void release_pinned(void* data) noexcept override { cudaFreeHost(data); }

  void launch(StreamId stream, const Launch& launch) override {
    check(launch.entry->device != nullptr, "there is no CUDA kernel for ", launch.entry->name);
    CurrentDevice current(stream.device);
    launch.entry->device(launch.kernel, launch.count, at(stream));
    check_cuda(cudaGetLastError());
  }
  void copy(const Copy& copy) override;

  StreamId new_stream(DeviceIndex device) override;
  void* native_handle(StreamId stream) override { return at(stream); }
  std::shared_ptr<Event> record(StreamId stream) override {
    CurrentDevice current(stream.device);
    auto event = std::make_shared<CudaEvent>();
    check_cuda(cudaEventRecord(event->get(), at(stream)));
    return event;
  }
  void wait(StreamId stream, const std::shared_ptr<Event>& event) override {
    CurrentDevice current(stream.device);
    check_cuda(cudaStreamWaitEvent(at(stream), static_cast<CudaEvent&>(*event).get(), 0));
  }
  void synchronize(StreamId stream) override {
    wait_until_done([this, stream] { return cudaStreamQuery(at(stream)); }, "a stream");
  }
  void synchronize_device(DeviceIndex device) override {
    check_ordinal(*this, device);
    std::size_t count = 0;
    {
      std::lock_guard lock(mutex_);
      count = streams_[static_cast<std::size_t>(device)].size();
    }
    for (std::size_t id = 0; id < count; ++id) synchronize({device, static_cast<int>(id)});
  }

 private:
  static void keep_freed_memory(DeviceIndex device) {
    cudaMemPool_t pool = nullptr;
    check_cuda(cudaDeviceGetDefaultMemPool(&pool, device));
    std::uint64_t threshold = UINT64_MAX;
    check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  }

  cudaStream_t at(StreamId stream) const {
    check_ordinal(*this, stream.device);
    std::lock_guard lock(mutex_);
    return streams_[static_cast<std::size_t>(stream.device)].at(
        static_cast<std::size_t>(stream.id));
  }

  mutable std::mutex mutex_;
  std::vector<std::vector<cudaStream_t>> streams_;
  std::unordered_map<void*, cudaStream_t> owners_;  // the stream each block was allocated for
};

DeviceProperties CudaBackend::properties(DeviceIndex device) const {
  check_ordinal(*this, device);
  cudaDeviceProp found;
  check_cuda(cudaGetDeviceProperties(&found, device));
  std::string uuid = "GPU-";
  for (char byte : found.uuid.bytes) {
    char text[4];
    std::snprintf(text, sizeof text, "%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(byte)));
    uuid += text;
  }
  return {.name = found.name,
          .uuid = uuid,
          .major = found.major,
          .minor = found.minor,
          .total_memory = static_cast<std::int64_t>(found.totalGlobalMem),
          .multi_processor_count = found.multiProcessorCount};
}

MemoryInfo CudaBackend::memory(DeviceIndex device) const {
  check_ordinal(*this, device);
  CurrentDevice current(device);
  std::size_t free = 0;
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&free, &total));
  return {static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
}

void* CudaBackend::allocate(StreamId stream, std::size_t bytes) {
  CurrentDevice current(stream.device);
  cudaStream_t owner = at(stream);
  void* data = nullptr;
  cudaError_t status = cudaMallocAsync(&data, bytes == 0 ? 1 : bytes, owner);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    MemoryInfo info = memory(stream.device);
    throw OutOfMemoryError(text_of(
        "CUDA out of memory. Tried to allocate ", memory_text(static_cast<std::int64_t>(bytes)),
        ". GPU ", stream.device, " has a total capacity of ", memory_text(info.total), " of which ",
        memory_text(info.free), " is free."));
  }
  check_cuda(status);
  std::lock_guard lock(mutex_);
  owners_[data] = owner;
  return data;
}

void CudaBackend::release(DeviceIndex device, void* data) noexcept {
  cudaStream_t owner = nullptr;
  {
    std::lock_guard lock(mutex_);
    owner = owners_.extract(data).mapped();
  }
  int previous = 0;
  cudaGetDevice(&previous);
  cudaSetDevice(device);
  cudaFreeAsync(data, owner);
  cudaSetDevice(previous);
}

void CudaBackend::copy(const Copy& copy) {
  if (copy.bytes == 0) return;
  bool crosses = copy.from_device.is_cuda() && copy.to_device.is_cuda();
  StreamId stream = copy.from_device.is_cuda() ? copy.from_stream : copy.to_stream;
  bool has_two_streams = crosses && copy.from_stream != copy.to_stream;
  if (has_two_streams) wait(copy.from_stream, record(copy.to_stream));
  {
    CurrentDevice current(stream.device);
    if (crosses && copy.from_device != copy.to_device) {
      check_cuda(cudaMemcpyPeerAsync(copy.to, copy.to_device.index(), copy.from,
                                     copy.from_device.index(), copy.bytes, at(stream)));
    } else {
      check_cuda(cudaMemcpyAsync(copy.to, copy.from, copy.bytes, cudaMemcpyDefault, at(stream)));
    }
  }
  if (has_two_streams) wait(copy.to_stream, record(copy.from_stream));
  if (copy.to_device.is_cpu() && !copy.is_asynchronous) synchronize(stream);
}

StreamId CudaBackend::new_stream(DeviceIndex device) {
  check_ordinal(*this, device);
  CurrentDevice current(device);
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::lock_guard lock(mutex_);
  auto& streams = streams_[static_cast<std::size_t>(device)];
  streams.push_back(stream);
  return {device, static_cast<int>(streams.size()) - 1};
}

}  // namespace

std::unique_ptr<Backend> make_real_cuda_backend() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    cudaGetLastError();
    return nullptr;
  }
  return std::make_unique<CudaBackend>(devices);
}

}  // namespace placecheck::runtime
