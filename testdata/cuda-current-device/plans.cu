// A record for each device, whose numbers are set before its memory is made.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>

constexpr int kMostDevices = 32;
constexpr int kValues = 4096;

struct Plan {
  int count = 0;
  float* host = nullptr;
  float* values = nullptr;
  cudaStream_t stream = nullptr;
};

__global__ void scale(float* values, int count) {
  if (threadIdx.x < count) values[threadIdx.x] *= 2.0f;
}

int count_devices() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  if (devices > kMostDevices) devices = kMostDevices;
  return devices;
}

void selected() {
  Plan plans[kMostDevices];
  int devices = count_devices();
  for (int i = 0; i < devices; ++i) plans[i].count = kValues / devices;
  for (int i = 0; i < devices; ++i) {
    cudaSetDevice(i);
    cudaStreamCreate(&plans[i].stream);
    cudaMalloc(&plans[i].values, plans[i].count * sizeof(float));
    cudaMallocHost(&plans[i].host, plans[i].count * sizeof(float));
    for (int j = 0; j < plans[i].count; ++j) plans[i].host[j] = 1.0f;
  }
  for (int i = 0; i < devices; ++i) {
    cudaSetDevice(i);
    cudaMemcpyAsync(plans[i].values, plans[i].host, plans[i].count * sizeof(float),
                    cudaMemcpyHostToDevice, plans[i].stream);
    scale<<<1, 256, 0, plans[i].stream>>>(plans[i].values, plans[i].count);
  }
}

void not_selected() {
  Plan plans[kMostDevices];
  int devices = count_devices();
  for (int i = 0; i < devices; ++i) plans[i].count = kValues / devices;
  for (int i = 0; i < devices; ++i) {
    cudaSetDevice(i);
    cudaStreamCreate(&plans[i].stream);
    cudaMalloc(&plans[i].values, plans[i].count * sizeof(float));
  }
  for (int i = 0; i < devices; ++i) {
    int count = plans[i].count;
    scale<<<1, 256>>>(plans[i].values, count);  // expect: cuda-current-device
  }
}

int main() {
  selected();
  not_selected();
}
