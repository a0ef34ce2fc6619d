// run: 2
// Arrays with an element for each device.
#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

constexpr int kDevices = 2;

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

void of_known_length() {
  float* values[kDevices];
  for (int i = 0; i < kDevices; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], 1024);
  }
  for (int i = 0; i < kDevices; ++i) {
    fill<<<1, 256>>>(values[i], 1.0f);  // expect: cuda-current-device
  }
  for (int i = 0; i < kDevices; ++i) {
    cudaSetDevice(i);
    fill<<<1, 256>>>(values[i], 1.0f);
  }
}

void of_all_devices() {
  int count = 0;
  cudaGetDeviceCount(&count);
  std::vector<float*> values(count);
  std::vector<cudaStream_t> streams(count);
  for (int i = 0; i < count; i++) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], 1024);
    cudaStreamCreate(&streams[i]);
  }
  for (int i = 0; i < count; i++) {
    fill<<<1, 256, 0, streams[i]>>>(values[i], 1.0f);  // expect: cuda-current-device
  }
}

// All of it is on one device, and half of the launches are not.
void selected_too_late(int count) {
  float** values = (float**)malloc(count * sizeof(float*));
  for (int i = 0; i < count; ++i) cudaMalloc(&values[i], 1024);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    fill<<<1, 256>>>(values[i], 1.0f);  // expect: cuda-current-device
  }
}

// The neighbour's memory.
void neighbours() {
  int count;
  cudaGetDeviceCount(&count);
  float* values[8];
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], 1024);
  }
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    int next = (i + 1) % count;
    fill<<<1, 256>>>(values[next], 1.0f);  // expect: cuda-current-device
  }
}

// The free memory of the current device, for each of them.
size_t most_free() {
  int count = 0;
  cudaGetDeviceCount(&count);
  size_t most = 0;
  for (int i = 0; i < count; ++i) {
    size_t free_bytes = 0, total = 0;
    cudaMemGetInfo(&free_bytes, &total);  // expect: cuda-current-device
    if (free_bytes > most) most = free_bytes;
  }
  for (int i = 0; i < count; ++i) {
    size_t free_bytes = 0, total = 0;
    cudaSetDevice(i);
    cudaMemGetInfo(&free_bytes, &total);
    if (free_bytes > most) most = free_bytes;
  }
  cudaSetDevice(0);
  return most;
}

int main(int argc, char** argv) {
  most_free();
  of_known_length();
  of_all_devices();
  cudaSetDevice(0);
  selected_too_late(atoi(argv[1]));
  neighbours();
}
