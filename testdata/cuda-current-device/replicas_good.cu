// Replicas of a layer, as a template: each selects its device where it allocates, runs and ends.
#include <cuda_runtime.h>

#include <memory>
#include <utility>
#include <vector>

template <typename T>
__global__ void scale(T* values, T by) {
  values[threadIdx.x] *= by;
}

template <typename T>
class Replica {
 public:
  Replica(int device, size_t count) : device_(device), count_(count) {
    cudaSetDevice(device_);
    cudaMalloc(&values_, count * sizeof(T));
    cudaStreamCreate(&stream_);
    cudaEventCreate(&done_);
  }
  Replica(const Replica&) = delete;
  ~Replica() {
    cudaSetDevice(device_);
    cudaEventDestroy(done_);
    cudaStreamDestroy(stream_);
    cudaFree(values_);
  }

  void run(T by) {
    if (count_ == 0) return;
    cudaSetDevice(device_);
    scale<<<1, 32, 0, stream_>>>(values_, by);
    cudaEventRecord(done_, stream_);
  }

  // A stream may wait for another device's event.
  void wait_for(const Replica& other) {
    cudaSetDevice(device_);
    cudaStreamWaitEvent(stream_, other.done_, 0);
  }

  int device() const { return device_; }

 private:
  int device_;
  size_t count_;
  T* values_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t done_ = nullptr;
};

// The device that was current is selected again, whichever way the function is left.
template <typename Work>
bool on_device(int device, const Work& work) {
  int before = 0;
  cudaGetDevice(&before);
  if (cudaSetDevice(device) != cudaSuccess) return false;
  const bool done = work();
  cudaSetDevice(before);
  return done;
}

void two_types() {
  Replica<float> first(0, 32);
  Replica<double> second(1, 32);
  first.run(0.5F);
  second.run(0.5);
  first.run(2.0F);
}

void one_after_the_other() {
  std::vector<std::unique_ptr<Replica<float>>> replicas;
  for (int device = 0; device < 2; ++device)
    replicas.push_back(std::make_unique<Replica<float>>(device, 32));
  replicas[0]->run(0.5F);
  replicas[1]->wait_for(*replicas[0]);
  replicas[1]->run(0.5F);
}

void borrowed_device() {
  float* own = nullptr;
  cudaSetDevice(0);
  cudaMalloc(&own, 32 * sizeof(float));
  on_device(1, [] {
    float* there = nullptr;
    if (cudaMalloc(&there, 32 * sizeof(float)) != cudaSuccess) return false;
    scale<<<1, 32>>>(there, 1.0F);
    cudaFree(there);
    return true;
  });
  scale<<<1, 32>>>(own, 1.0F);
  cudaFree(own);
}

int main(int argc, char**) {
  two_types();
  one_after_the_other();
  borrowed_device();
  if (argc > 5) return 1;
  return 0;
}
