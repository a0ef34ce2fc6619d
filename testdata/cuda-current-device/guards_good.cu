// The device is selected again: by hand, by guards, in each turn.
#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

class DeviceGuard {
 public:
  explicit DeviceGuard(int device) {
    cudaGetDevice(&before_);
    if (device != before_) cudaSetDevice(device);
  }
  ~DeviceGuard() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

struct Shard {
  int device = 0;
  float* values = nullptr;
  cudaStream_t stream = nullptr;
  explicit Shard(int id) : device(id) {
    DeviceGuard guard(device);
    cudaMalloc(&values, 1024);
    cudaStreamCreate(&stream);
  }
  void run() {
    DeviceGuard guard(device);
    fill<<<1, 256, 0, stream>>>(values, 1.0f);
  }
};

void guarded() {
  float *first, *second;
  cudaMalloc(&first, 1024);
  {
    DeviceGuard guard(1);
    cudaMalloc(&second, 1024);
    fill<<<1, 256>>>(second, 1.0f);
  }
  fill<<<1, 256>>>(first, 1.0f);
}

void by_hand(int device) {
  int before;
  cudaGetDevice(&before);
  float* own;
  cudaMalloc(&own, 1024);
  cudaSetDevice(device);
  float* values;
  cudaMalloc(&values, 1024);
  fill<<<1, 256>>>(values, 1.0f);
  cudaSetDevice(before);
  fill<<<1, 256>>>(own, 1.0f);
}

void shards() {
  int count;
  cudaGetDeviceCount(&count);
  std::vector<std::unique_ptr<Shard>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<Shard>(i));
  for (auto& shard : all) shard->run();
}

void loops(int used) {
  int count;
  cudaGetDeviceCount(&count);
  std::vector<float*> values(count);
  std::vector<cudaStream_t> streams(count);
  std::vector<cudaEvent_t> events(count);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], 1024);
    cudaStreamCreate(&streams[i]);
    cudaEventCreate(&events[i]);
  }
  for (int turn = 0; turn < 10; ++turn) {
    for (int i = 0; i < count; ++i) {
      cudaSetDevice(i);
      fill<<<1, 256, 0, streams[i]>>>(values[i], 1.0f);
      cudaEventRecord(events[i], streams[i]);
    }
  }
  for (int i = count - 1; i >= 0; --i) {
    cudaSetDevice(i);
    fill<<<1, 256>>>(values[i], 1.0f);
    cudaFree(values[i]);
  }
  for (int i = 0; i < used; ++i) {
    cudaSetDevice(i % count);
    fill<<<1, 256>>>(values[i % count], 1.0f);
  }
  cudaSetDevice(0);
}

void thread_main(int device, float** slot) {
  cudaSetDevice(device);
  cudaMalloc(slot, 1024);
  fill<<<1, 256>>>(*slot, 1.0f);
}

void threads() {
  float* slots[2];
  std::vector<std::thread> all;
  for (int i = 0; i < 2; ++i) all.emplace_back(thread_main, i, &slots[i]);
  for (std::thread& each : all) each.join();
}

void copies() {
  float *first, *second;
  cudaSetDevice(0);
  cudaMalloc(&first, 1024);
  cudaSetDevice(1);
  cudaMalloc(&second, 1024);
  cudaMemcpyPeer(second, 1, first, 0, 1024);
  cudaMemcpy(second, first, 1024, cudaMemcpyDefault);
  cudaFree(first);
  cudaFree(second);
  cudaSetDevice(0);
}

int main(int argc, char**) {
  guarded();
  by_hand(argc);
  shards();
  loops(argc);
  threads();
  copies();
}
