// The same code on either side, decided by a flag or by a class.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

class Memory {
 public:
  Memory(size_t bytes, bool on_device) : on_device_(on_device) {
    if (on_device_) {
      cudaMalloc(&data_, bytes);
    } else {
      data_ = static_cast<float*>(malloc(bytes));
    }
  }
  ~Memory() {
    if (on_device_)
      cudaFree(data_);
    else
      free(data_);
  }
  void set(float by, int count) {
    if (on_device_) {
      fill<<<1, count>>>(data_, by);
      return;
    }
    for (int i = 0; i < count; ++i) data_[i] = by;
  }

 private:
  float* data_ = nullptr;
  bool on_device_;
};

void chosen(int count, bool gpu) {
  float* values = nullptr;
  if (gpu)
    cudaMalloc(&values, count * sizeof(float));
  else
    values = new float[count];
  if (gpu) {
    fill<<<1, 32>>>(values, 1.0f);
    cudaFree(values);
  } else {
    values[0] = 1.0f;
    delete[] values;
  }
}

void exchanged() {
  float* current = (float*)malloc(64);
  float* d;
  cudaMalloc(&d, 64);
  cudaMemcpy(d, current, 64, cudaMemcpyHostToDevice);
  free(current);
  current = d;
  fill<<<1, 16>>>(current, 1.0f);
  cudaFree(current);
}

// What is passed by value goes with the launch.
struct Shape {
  int sizes[4];
  float scale;
};
__global__ void shaped(Shape shape, float* values) { values[0] = shape.scale * shape.sizes[0]; }

int main(int argc, char** argv) {
  Memory host(64, false), device(64, true);
  host.set(1.0f, 16);
  device.set(1.0f, 16);
  Memory either(64, argc > 1);
  either.set(2.0f, 16);
  chosen(16, argc > 1);
  exchanged();
  Shape shape = {{1, 2, 3, 4}, 0.5f};
  float* d;
  cudaMalloc(&d, 64);
  shaped<<<1, 1>>>(shape, d);
  Shape* h_shapes = (Shape*)malloc(4 * sizeof(Shape));
  h_shapes[0].scale = 1.0f;
  shaped<<<1, 1>>>(h_shapes[0], d);
  shaped<<<1, 1>>>(*h_shapes, d);
  void* arguments[] = {&shape, &d};
  cudaLaunchKernel((void*)shaped, 1, 1, arguments, 0, 0);
  free(h_shapes);
  cudaFree(d);
}
