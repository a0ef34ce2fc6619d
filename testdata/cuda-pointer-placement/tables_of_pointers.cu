// A table of pointers in the memory of a device: the host cannot read it.
#include <cuda_runtime.h>

#include <vector>

struct Batch {
  float** rows = nullptr;
  int count = 0;
};

Batch make_batch(int count) {
  Batch batch;
  batch.count = count;
  std::vector<float*> rows(count);
  for (int i = 0; i < count; ++i) cudaMalloc(&rows[i], 256);
  cudaMalloc(&batch.rows, count * sizeof(float*));
  cudaMemcpy(batch.rows, rows.data(), count * sizeof(float*), cudaMemcpyHostToDevice);
  return batch;
}

int main() {
  Batch batch = make_batch(3);
  for (int i = 0; i < batch.count; ++i) cudaFree(batch.rows[i]);  // expect: cuda-pointer-placement
  cudaFree(batch.rows);
}
