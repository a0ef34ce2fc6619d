// Macros, helper functions, wrappers and members between the allocation and the copy.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define CUDA_CHECK(call)                                                             \
  do {                                                                               \
    cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                     \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

inline void check(cudaError_t status, const char* file, int line) {
  if (status == cudaSuccess) return;
  printf("%s:%d: %s\n", file, line, cudaGetErrorString(status));
  exit(1);
}
#define cudaCheck(call) (check((call), __FILE__, __LINE__))

template <typename T>
T* on_device(size_t count) {
  T* pointer = nullptr;
  CUDA_CHECK(cudaMalloc(&pointer, count * sizeof(T)));
  return pointer;
}

void allocate(float** pointer, size_t count) {
  cudaCheck(cudaMalloc((void**)pointer, count * sizeof(float)));
}

void upload(float* to, const float* from, size_t count) {
  cudaCheck(cudaMemcpy(to, from, count * sizeof(float),  // expect: cuda-memcpy-kind
                       cudaMemcpyHostToDevice));
}

class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) {
    CUDA_CHECK(cudaMalloc(&data_, count * sizeof(float)));
  }
  ~Buffer() { cudaFree(data_); }
  float* get() const { return data_; }
  void from_host(const std::vector<float>& values) {
    CUDA_CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  void to_host(std::vector<float>& values) const {
    CUDA_CHECK(cudaMemcpy(values.data(), data_, bytes(),  // expect: cuda-memcpy-kind
                          cudaMemcpyHostToDevice));
  }

 private:
  size_t bytes() const { return count_ * sizeof(float); }
  float* data_ = nullptr;
  size_t count_;
};

struct Layer {
  float* weights;
  float* h_weights;
};

void fill(Layer* layer, size_t count) {
  layer->h_weights = (float*)malloc(count * sizeof(float));
  cudaCheck(cudaMalloc(&layer->weights, count * sizeof(float)));
}

void save(Layer* layer, size_t count) {
  cudaCheck(cudaMemcpy(layer->h_weights, layer->weights,  // expect: cuda-memcpy-kind
                       count * sizeof(float),
                       cudaMemcpyDeviceToDevice));
}

struct Release {
  void operator()(float* pointer) const { cudaFree(pointer); }
};
using Owned = std::unique_ptr<float, Release>;

int main() {
  std::vector<float> host(64);
  float* first = on_device<float>(64);
  CUDA_CHECK(cudaMemcpy(first, host.data(), 256, cudaMemcpyDeviceToHost));  // expect: cuda-memcpy-kind
  float* second;
  allocate(&second, 64);
  cudaCheck(cudaMemcpy(host.data(), second, 256, cudaMemcpyHostToDevice));  // expect: cuda-memcpy-kind
  upload(first, host.data(), 64);
  upload(host.data(), second, 64);

  Buffer buffer(64);
  buffer.from_host(host);
  buffer.to_host(host);

  Layer layer;
  fill(&layer, 64);
  save(&layer, 64);

  Owned owned(on_device<float>(64));
  cudaCheck(cudaMemcpy(owned.get(), host.data(), 256,  // expect: cuda-memcpy-kind
                       cudaMemcpyDeviceToDevice));
  cudaFree(first);
  cudaFree(second);
}
