// Functions whose caller selects the device, and devices that the user chooses.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

struct Workspace {
  float* values = nullptr;
  cudaStream_t stream = nullptr;
};

void prepare(Workspace* workspace) {
  cudaMalloc(&workspace->values, 1024);
  cudaStreamCreate(&workspace->stream);
}

void run(Workspace* workspace, int device) {
  cudaSetDevice(device);
  fill<<<1, 256, 0, workspace->stream>>>(workspace->values, 1.0f);
}

void back_to_the_caller() {
  float* values;
  cudaMalloc(&values, 1024);
  cudaSetDevice(1);
  fill<<<1, 256>>>(values, 1.0f);
}

int main(int argc, char** argv) {
  int device = argc > 1 ? atoi(argv[1]) : 0;
  cudaSetDevice(device);
  Workspace workspace;
  prepare(&workspace);
  run(&workspace, device);
  cudaSetDevice(device);
  fill<<<1, 256, 0, workspace.stream>>>(workspace.values, 2.0f);
  if (argc > 3) {
    cudaSetDevice(1);
    prepare(&workspace);
  } else {
    cudaSetDevice(0);
    prepare(&workspace);
  }
  fill<<<1, 256>>>(workspace.values, 3.0f);
}
