// Addresses within memory of a device are computed on the host, not accessed; kernels index freely.
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

struct Node {
  float values[4];
  Node* next;
  int count;
};

__device__ float at(const float* values, int i) { return values[i]; }

__host__ __device__ inline int rounded(int count, int by) { return (count + by - 1) / by; }

__global__ void sum(const float* values, float* out, int count) {
  float total = 0.0f;
  for (int i = threadIdx.x; i < count; i += blockDim.x) total += at(values, i) + values[i];
  atomicAdd(&out[0], total);
}

__global__ void touch(Node* nodes, int count) { nodes[0].count = count; }
__global__ void of_rows(float (*rows)[16]) { rows[threadIdx.x][0] = 0.0f; }

// An array in a record goes to the kernel with it.
struct Grid {
  Grid(float* data, const float* factors) : data(data), scaling{factors[0], factors[1]} {}
  float* data;
  const float scaling[2];
};

__global__ void scale(Grid grid) { grid.data[threadIdx.x] *= at(grid.scaling, threadIdx.x % 2); }

struct Parameters {
  float* memory;
  float* weights;
  float* bias;
  float* list[2];
};

void point_to(Parameters* parameters, size_t count) {
  cudaMalloc((void**)&parameters->memory, count * sizeof(float));
  float** parts[] = {&parameters->weights, &parameters->bias};
  float* next = parameters->memory;
  for (int i = 0; i < 2; ++i) {
    *(parts[i]) = next;
    next += count / 2;
  }
}

int main() {
  float *d_values, *d_out;
  cudaMalloc(&d_values, 1024);
  cudaMalloc(&d_out, 4);
  sum<<<rounded(256, 256), 256>>>(&d_values[16], d_out + 0, 16);
  float* last = d_values + 255;
  printf("%p %p\n", (void*)d_values, static_cast<void*>(last));
  if (d_values != nullptr && d_out) sum<<<1, 32>>>(last - 32, d_out, 32);
  std::swap(d_values, d_out);

  Node* d_nodes;
  cudaMalloc(&d_nodes, 4 * sizeof(Node));
  touch<<<1, 1>>>(&d_nodes[1], 4);
  cudaMemset(&d_nodes[1].count, 0, sizeof(int));
  cudaMemset(&d_nodes->values[2], 0, sizeof(float));
  cudaMemset(d_nodes->values, 0, sizeof(float));
  cudaMemset(d_nodes[2].values, 0, sizeof(d_nodes[2].values));
  size_t each = sizeof(*d_values) + sizeof(d_nodes[0]);

  float (*d_rows)[16];
  cudaMalloc(&d_rows, 16 * sizeof(*d_rows));
  of_rows<<<1, 16>>>(d_rows);
  cudaMemset(d_rows[3], 0, sizeof(d_rows[3]));
  cudaMemset(&d_rows[3][4], 0, 4);

  std::vector<float> factors = {0.5f, 2.0f};
  Grid grid(d_values, factors.data());
  scale<<<1, 32>>>(grid);

  Parameters parameters;
  point_to(&parameters, each);
  sum<<<1, 32>>>(parameters.weights, parameters.bias, 16);
  parameters.list[0] = d_values;
  parameters.list[1] = d_out;
  for (float* each_one : parameters.list) cudaFree(each_one);
  std::vector<float*> pointers = {parameters.weights, parameters.bias};
  pointers[0] = nullptr;
  for (int i = 0; i < 2; ++i) sum<<<1, 32>>>(pointers[i], pointers[i], 16);
}
