// Memory of a device is read or written on the host.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

struct Point {
  float x, y;
};

#define CHECK(call)                \
  do {                             \
    if ((call) != cudaSuccess) {   \
      fprintf(stderr, "failed\n"); \
      exit(1);                     \
    }                              \
  } while (0)

void elements() {
  float* d;
  CHECK(cudaMalloc(&d, 1024));
  for (int i = 0; i < 256; ++i) d[i] = 1.0f;  // expect: cuda-pointer-placement
  float first = d[0];                         // expect: cuda-pointer-placement
  printf("%f %f\n", first, d[1]);             // expect: cuda-pointer-placement
  *d = 0.0f;                                  // expect: cuda-pointer-placement
  first = *d;                                 // expect: cuda-pointer-placement
  d[3] += first;                              // expect: cuda-pointer-placement
  CHECK(cudaFree(d));
}

void with_the_library() {
  float* d;
  std::vector<float> h(256);
  CHECK(cudaMalloc(&d, 1024));
  memcpy(h.data(), d, 1024);         // expect: cuda-pointer-placement
  memset(d, 0, 1024);                // expect: cuda-pointer-placement
  std::copy(d, d + 256, h.begin());  // expect: cuda-pointer-placement
  std::fill(d, d + 256, 0.0f);       // expect: cuda-pointer-placement
  std::sort(h.begin(), h.end());
  float sum = std::accumulate(d, d + 256, 0.0f);  // expect: cuda-pointer-placement
  printf("%f\n", sum);
  FILE* file = fopen("weights.bin", "wb");
  fwrite(d, sizeof(float), 256, file);  // expect: cuda-pointer-placement
  fwrite(h.data(), sizeof(float), 256, file);
  fclose(file);
  CHECK(cudaFree(d));
}

float total(const float* values, int count) {
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) sum += values[i];  // expect: cuda-pointer-placement
  return sum;
}

class Weights {
 public:
  explicit Weights(int count) { CHECK(cudaMalloc(&data_, count * sizeof(float))); }
  ~Weights() { cudaFree(data_); }
  float* data() { return data_; }
  void reset() { data_[0] = 0.0f; }  // expect: cuda-pointer-placement

 private:
  float* data_;
};

int main() {
  elements();
  with_the_library();
  float* d;
  CHECK(cudaMalloc(&d, 1024));
  total(d, 256);
  CHECK(cudaFree(d));
  Weights weights(16);
  weights.reset();
}
