// Records that say on which device they are, and are there.
#include <cuda_runtime.h>

#include <vector>

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

struct Part {
  int device;
  float* values;
};

struct Buffer {
  explicit Buffer(int on) : device(on) {
    cudaSetDevice(device);
    cudaMalloc(&values, 1024);
  }
  int device;
  float* values = nullptr;
};

void fill_it(Buffer& buffer) {
  cudaSetDevice(buffer.device);
  fill<<<1, 256>>>(buffer.values, 1.0f);
}

void listed_one_by_one() {
  std::vector<Part> parts;
  for (int i = 0; i < 2; ++i) {
    Part part{i, nullptr};
    cudaSetDevice(part.device);
    cudaMalloc(&part.values, 1024);
    parts.push_back(part);
  }
  for (Part& part : parts) {
    cudaSetDevice(part.device);
    fill<<<1, 256>>>(part.values, 1.0f);
  }
}

int main() {
  listed_one_by_one();
  std::vector<Buffer> buffers;
  for (int i = 0; i < 2; ++i) buffers.emplace_back(i);
  for (Buffer& buffer : buffers) fill_it(buffer);
  // The number says which of the first device's parts it is.
  std::vector<Part> of_first;
  cudaSetDevice(0);
  for (int i = 0; i < 2; ++i) {
    Part part{0, nullptr};
    cudaMalloc(&part.values, 1024);
    of_first.push_back(part);
  }
  for (Part& part : of_first) {
    cudaSetDevice(part.device);
    fill<<<1, 256>>>(part.values, 1.0f);
  }
}
