// The direction contradicts one pointer, or both.
#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

constexpr int kCount = 256;
constexpr size_t kBytes = kCount * sizeof(float);

void swapped_direction() {
  std::vector<float> h_input(kCount, 1.0f);
  float* d_input = nullptr;
  cudaMalloc(&d_input, kBytes);
  cudaMemcpy(d_input, h_input.data(), kBytes, cudaMemcpyDeviceToHost);  // expect: cuda-memcpy-kind
  cudaMemcpy(d_input, h_input.data(), kBytes, cudaMemcpyHostToDevice);
  cudaFree(d_input);
}

void swapped_pointers() {
  float* h_input = static_cast<float*>(malloc(kBytes));
  float* d_input;
  cudaMalloc((void**)&d_input, kBytes);
  cudaMemcpy(h_input, d_input, kBytes, cudaMemcpyHostToDevice);  // expect: cuda-memcpy-kind
  cudaMemcpy(h_input, d_input, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(d_input);
  free(h_input);
}

void device_to_device_with_host_memory() {
  float on_stack[kCount];
  float* d_copy;
  cudaMalloc(&d_copy, kBytes);
  cudaMemcpyAsync(d_copy, on_stack, kBytes,  // expect: cuda-memcpy-kind
                  cudaMemcpyDeviceToDevice, 0);
  cudaMemcpyAsync(d_copy, on_stack, kBytes, cudaMemcpyHostToDevice, 0);
  cudaFree(d_copy);
}

void host_to_host_with_device_memory() {
  float* h_copy = new float[kCount];
  float* d_copy;
  cudaMalloc(&d_copy, kBytes);
  cudaMemcpy(h_copy, d_copy, kBytes, cudaMemcpyHostToHost);  // expect: cuda-memcpy-kind
  cudaFree(d_copy);
  delete[] h_copy;
}

void one_number() {
  float loss = 0.0f;
  float* d_loss;
  cudaMalloc(&d_loss, sizeof(float));
  cudaMemcpy(&loss, d_loss, sizeof(float), cudaMemcpyHostToDevice);  // expect: cuda-memcpy-kind
  cudaMemcpy(&loss, d_loss, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_loss);
}

void rows() {
  float image[16][16];
  float* d_image;
  size_t pitch;
  cudaMallocPitch(&d_image, &pitch, 16 * sizeof(float), 16);
  cudaMemcpy2D(image, sizeof(image[0]), d_image, pitch,  // expect: cuda-memcpy-kind
               sizeof(image[0]), 16, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(image, sizeof(image[0]), d_image, pitch, sizeof(image[0]), 16,
               cudaMemcpyDeviceToHost);
  cudaFree(d_image);
}

void between_devices() {
  std::vector<float> h_values(kCount);
  float* d_values;
  cudaSetDevice(1);
  cudaMalloc(&d_values, kBytes);
  cudaMemcpyPeer(d_values, 1, h_values.data(), 0, kBytes);  // expect: cuda-memcpy-kind
  cudaFree(d_values);
}

void further_on_in_the_array() {
  std::vector<float> h_values(kCount);
  float* d_values;
  cudaMalloc(&d_values, kBytes);
  float* d_second = d_values + kCount / 2;
  cudaMemcpy(&d_values[4], h_values.data() + 8, 64,  // expect: cuda-memcpy-kind
             cudaMemcpyDeviceToHost);
  cudaMemcpy(d_second, &h_values[8], 64, cudaMemcpyDeviceToHost);  // expect: cuda-memcpy-kind
  cudaMemcpy(d_second, h_values.data() + 8, 64, cudaMemcpyHostToDevice);
  cudaFree(d_values);
}

int main() {
  swapped_direction();
  swapped_pointers();
  device_to_device_with_host_memory();
  host_to_host_with_device_memory();
  one_number();
  rows();
  between_devices();
  further_on_in_the_array();
}
