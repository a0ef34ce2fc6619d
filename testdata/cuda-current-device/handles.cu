// Streams, events and handles of another device.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void fill(float by) {}

class Stream {
 public:
  Stream() { cudaStreamCreate(&stream_); }
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_;
};

void streams() {
  cudaStream_t first;
  cudaSetDevice(0);
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaSetDevice(1);
  fill<<<1, 1, 0, first>>>(1.0f);  // expect: cuda-current-device
  cudaStreamSynchronize(first);
  fill<<<1, 1>>>(1.0f);
  cudaSetDevice(0);
  fill<<<1, 1, 0, first>>>(1.0f);
}

void owned_stream() {
  Stream stream;
  cudaSetDevice(1);
  fill<<<1, 1, 0, stream.get()>>>(1.0f);  // expect: cuda-current-device
  fill<<<1, 1, 0, stream>>>(1.0f);        // expect: cuda-current-device
  cudaSetDevice(0);
}

void events() {
  cudaStream_t stream;
  cudaEvent_t event, done;
  cudaSetDevice(0);
  cudaStreamCreate(&stream);
  cudaEventCreate(&done);
  cudaSetDevice(1);
  cudaEventCreate(&event);
  cudaEventRecord(event, stream);  // expect: cuda-current-device
  cudaEventRecord(done, stream);
  cudaEventRecord(event);
  cudaEventRecord(done);  // expect: cuda-current-device
  cudaStreamWaitEvent(stream, event, 0);
  float ms;
  cudaEventElapsedTime(&ms, event, done);  // expect: cuda-current-device
  cudaSetDevice(0);
}

void handles(const float* x, float* y) {
  cublasHandle_t handle;
  cudaStream_t stream;
  cudaSetDevice(0);
  cublasCreate(&handle);
  cudaSetDevice(1);
  cudaStreamCreate(&stream);
  cublasSetStream(handle, stream);  // expect: cuda-current-device
  float one = 1.0f;
  cublasSaxpy(handle, 16, &one, x, 1, y, 1);  // expect: cuda-current-device
  cudaSetDevice(0);
  cublasSaxpy(handle, 16, &one, x, 1, y, 1);
}

int main() {
  streams();
  owned_stream();
  events();
  handles(nullptr, nullptr);
}
