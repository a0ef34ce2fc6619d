// The pages' CUDA examples as programs on the virtual runtime; see torch_examples.cc.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <vector>

#include "tests/agreement/pages/cuda_examples.inc"
#include "tests/agreement/pages/example.h"

namespace placecheck::pages {
namespace {

template <int (*kMain)()>
void run() {
  kMain();
}

template <float* (*kUpload)(const std::vector<float>&)>
void upload() {
  cudaFree(kUpload({1, 2, 3}));
}

template <void (*kHalve)(std::vector<float>&)>
void halve() {
  std::vector<float> values(512, 1.0F);
  kHalve(values);
  cudaDeviceSynchronize();
}

template <void (*kSum)(float*, float*, cudaStream_t[2])>
void sum() {
  float* buffers[2] = {};
  cudaStream_t streams[2] = {};
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&buffers[device], 256 * sizeof(float));
    cudaStreamCreate(&streams[device]);
  }
  kSum(buffers[0], buffers[1], streams);
}

void listed_twice() {
  const int devices[] = {0, 0};
  ncclComm_t comms[2];
  ncclCommInitAll(comms, 2, devices);
}

void launch_into_foreign_stream() {
  cudaStream_t stream = nullptr;
  cudaSetDevice(1);
  cudaStreamCreate(&stream);
  cudaSetDevice(0);
  cuda_current_device_good::scale<<<1, 256, 0, stream>>>(nullptr, 0.5F);
}

const Program kPrograms[] = {
    {"cuda-current-device/bad", &run<&cuda_current_device_bad::run>},
    {"cuda-current-device/good", &run<&cuda_current_device_good::run>},
    {"cuda-current-device/stream", &launch_into_foreign_stream},
    {"cuda-memcpy-kind/bad", &upload<&cuda_memcpy_kind_bad::upload>},
    {"cuda-memcpy-kind/good", &upload<&cuda_memcpy_kind_good::upload>},
    {"cuda-pointer-placement/bad", &halve<&cuda_pointer_placement_bad::halve>},
    {"cuda-pointer-placement/good", &halve<&cuda_pointer_placement_good::halve>},
    {"nccl-usage/bad", &sum<&nccl_usage_bad::sum>},
    {"nccl-usage/good", &sum<&nccl_usage_good::sum>},
    {"nccl-usage/twice", &listed_twice},
};

}  // namespace
}  // namespace placecheck::pages

int main(int argument_count, char** arguments) {
  using placecheck::pages::kPrograms;
  return placecheck::pages::run_by_name(kPrograms, sizeof(kPrograms) / sizeof(kPrograms[0]),
                                        argument_count, arguments);
}
