// Records that say on which device they are meant to be, and whose memory is on another: none was
// selected where it was allocated.
#include <cuda_runtime.h>

#include <vector>

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

struct Part {
  int device;
  float* values;
};

struct Buffer {
  explicit Buffer(int on) : device(on) { cudaMalloc(&values, 1024); }
  int device;
  float* values = nullptr;
};

void fill_it(Buffer& buffer) {
  cudaSetDevice(buffer.device);
  fill<<<1, 256>>>(buffer.values, 1.0f);  // expect: cuda-current-device
}

void listed_one_by_one() {
  std::vector<Part> parts;
  for (int i = 0; i < 2; ++i) {
    Part part{i, nullptr};
    cudaMalloc(&part.values, 1024);
    parts.push_back(part);
  }
  for (Part& part : parts) {
    cudaSetDevice(part.device);
    fill<<<1, 256>>>(part.values, 1.0f);  // expect: cuda-current-device
  }
}

void numbered_later() {
  std::vector<Part> parts(2);
  for (int i = 0; i < 2; ++i) {
    parts[i].device = i;
    cudaMalloc(&parts[i].values, 1024);
  }
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(parts[i].device);
    fill<<<1, 256>>>(parts[i].values, 1.0f);  // expect: cuda-current-device
  }
}

int main() {
  listed_one_by_one();
  cudaSetDevice(0);
  numbered_later();
  cudaSetDevice(0);
  std::vector<Buffer> buffers;
  for (int i = 0; i < 2; ++i) buffers.emplace_back(i);
  for (Buffer& buffer : buffers) fill_it(buffer);
  cudaSetDevice(0);
  for (int i = 0; i < 2; ++i) {
    Buffer buffer(i);
    fill_it(buffer);
    cudaSetDevice(0);
  }
}
