// Records that start as zeros, and whose memory is allocated at their first use.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

__global__ void step(float* values, float* moments, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += moments[i];
}

struct Model {
  int count;
  float* values;
  float* moments;
};

void build(Model* model, int count) {
  memset(model, 0, sizeof(Model));
  model->count = count;
  cudaMalloc((void**)&model->values, count * sizeof(float));
}

void update(Model* model) {
  if (model->moments == NULL) {
    model->moments = (float*)malloc(model->count * sizeof(float));
    memset(model->moments, 0, model->count * sizeof(float));
  }
  step<<<1, 256>>>(model->values, model->moments, model->count);  // expect: cuda-pointer-placement
}

void update_on_device(Model* model) {
  if (model->moments == NULL) {
    cudaMalloc((void**)&model->moments, model->count * sizeof(float));
    cudaMemset(model->moments, 0, model->count * sizeof(float));
  }
  step<<<1, 256>>>(model->values, model->moments, model->count);
}

int main() {
  Model good;
  build(&good, 256);
  for (int i = 0; i < 3; ++i) update_on_device(&good);
  Model bad;
  build(&bad, 256);
  for (int i = 0; i < 3; ++i) update(&bad);
  return 0;
}
