// Tables of pointers that the host keeps, and addresses within the memory of a device.
#include <cuda_runtime.h>

#include <vector>

struct Pair {
  float* now = nullptr;
  float* next = nullptr;
};

struct Layout {
  float left[16];
  float right[16];
};

int main() {
  std::vector<Pair> pairs(2);
  for (auto& pair : pairs) {
    for (float** each : {&pair.now, &pair.next}) {
      cudaMalloc(each, 256);
      cudaMemset(*each, 0, 256);
    }
  }
  float* rows[2] = {pairs[0].now, pairs[1].now};
  for (float* row : rows) cudaMemset(row, 0, 256);
  cudaMemset(rows[1], 0, 256);

  Layout* layout = nullptr;
  cudaMalloc(&layout, sizeof(Layout));
  cudaMemset(layout->right, 0, sizeof(layout->right));
  cudaMemset(&layout->left[4], 0, 4 * sizeof(float));
  cudaFree(layout);
  for (auto& pair : pairs) {
    cudaFree(pair.now);
    cudaFree(pair.next);
  }
}
