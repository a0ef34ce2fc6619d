// The work goes to streams that the library has made for itself.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

constexpr int kStreams = 4;

class Streams {
 public:
  Streams() : streams_(new cudaStream_t[kStreams]) {
    for (int i = 0; i < kStreams; ++i)
      cudaStreamCreateWithFlags(streams_ + i, cudaStreamNonBlocking);
  }

  ~Streams() {
    for (int i = 0; i < kStreams; ++i) cudaStreamDestroy(streams_[i]);
    delete[] streams_;
  }

  cudaStream_t at(int i) const { return streams_[i % kStreams]; }

 private:
  cudaStream_t* streams_;
};

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void step(at::Tensor values) {
  const at::cuda::OptionalCUDAGuard guard(device_of(values));
  const Streams streams;
  for (int i = 0; i < 2 * kStreams; ++i)
    step_kernel<<<1, 32, 0, streams.at(i)>>>(values.data_ptr<float>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("step", &step); }
