// Memory of the host that holds pointers to memory of devices, and pointers that are copied
// themselves.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kRows = 4;
constexpr size_t kBytes = 1024;

struct Node {
  float* values;
  int count;
};

void rows_in_an_array() {
  float* h_rows[kRows];
  float** d_rows;
  for (int i = 0; i < kRows; ++i) cudaMalloc(&h_rows[i], kBytes);
  cudaMalloc(&d_rows, sizeof(h_rows));
  cudaMemcpy(d_rows, h_rows, sizeof(h_rows), cudaMemcpyHostToDevice);
  float first[256];
  cudaMemcpy(first, h_rows[0], kBytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kRows; ++i) cudaFree(h_rows[i]);
  cudaFree(d_rows);
}

void rows_in_a_vector(int count) {
  std::vector<float*> h_rows(count);
  for (int i = 0; i < count; ++i) cudaMalloc((void**)&h_rows[i], kBytes);
  float** d_rows;
  cudaMalloc(&d_rows, count * sizeof(float*));
  cudaMemcpy(d_rows, h_rows.data(), count * sizeof(float*), cudaMemcpyHostToDevice);
  cudaMemcpy(d_rows, &h_rows[0], count * sizeof(float*), cudaMemcpyHostToDevice);
}

void rows_on_the_heap(int count) {
  float** h_rows = (float**)malloc(count * sizeof(float*));
  for (int i = 0; i < count; ++i) cudaMalloc((void**)(h_rows + i), kBytes);
  float** d_rows;
  cudaMalloc(&d_rows, count * sizeof(float*));
  cudaMemcpy(d_rows, h_rows, count * sizeof(float*), cudaMemcpyHostToDevice);
  free(h_rows);
}

void one_pointer() {
  float *d_values, **d_slot;
  cudaMalloc(&d_values, kBytes);
  cudaMalloc(&d_slot, sizeof(float*));
  cudaMemcpy(d_slot, &d_values, sizeof(float*), cudaMemcpyHostToDevice);
  cudaMemcpy(&d_values, d_slot, sizeof(float*), cudaMemcpyDeviceToHost);
}

void record_with_a_pointer() {
  Node h_node;
  h_node.count = 256;
  cudaMalloc(&h_node.values, kBytes);
  Node* d_node;
  cudaMalloc(&d_node, sizeof(Node));
  cudaMemcpy(d_node, &h_node, sizeof(Node), cudaMemcpyHostToDevice);
  float* d_values;
  cudaMemcpy(&d_values, &d_node->values, sizeof(float*), cudaMemcpyDeviceToHost);
  cudaMemcpy(&(d_node->values), &h_node.values, sizeof(float*), cudaMemcpyHostToDevice);
  cudaMemcpy(&h_node, d_node, sizeof(Node), cudaMemcpyDeviceToHost);
}

// A pointer that names one memory after the other.
void reused(bool last) {
  float* h = (float*)malloc(kBytes);
  float *a, *b;
  cudaMalloc(&a, kBytes);
  cudaMalloc(&b, kBytes);
  float* target = a;
  cudaMemcpy(target, h, kBytes, cudaMemcpyHostToDevice);
  target = h;
  cudaMemcpy(target, a, kBytes, cudaMemcpyDeviceToHost);
  float* either = last ? b : h;
  cudaMemcpy(either, a, kBytes, last ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost);
}

int main(int argc, char**) {
  rows_in_an_array();
  rows_in_a_vector(argc);
  rows_on_the_heap(argc);
  one_pointer();
  record_with_a_pointer();
  reused(argc > 2);
}
