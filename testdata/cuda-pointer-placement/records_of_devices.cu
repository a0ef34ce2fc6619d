// Records in memory of a device, read on the host; what is known of a pointer decides a branch.
#include <cuda_runtime.h>

#include <cstdio>

struct Node {
  int children;
  float weight;
};

void asks_first(const float* values) {
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, values);
  if (attributes.type != cudaMemoryTypeDevice) printf("%f\n", values[0]);
}

int main() {
  Node* nodes;
  float* values;
  cudaMalloc(&nodes, 16 * sizeof(Node));
  cudaMalloc(&values, 1024);
  const Node* second = nodes + 1;
  printf("%d\n", second->children);  // expect: cuda-pointer-placement
  nodes[0].weight = 1.0f;            // expect: cuda-pointer-placement
  float* weight = &nodes[0].weight;
  cudaMemset(weight, 0, sizeof(float));
  asks_first(values);
  cudaFree(nodes);
}
