// Launches of the shared functors, and products of matrices by cuBLAS.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "runtime/backend/cuda/all_kernels.h"
#include "runtime/backend/cuda/cublas_handles.h"
#include "runtime/backend/cuda/device_kernels.h"

namespace placecheck::runtime {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 65536;

template <typename Kernel>
__global__ void run_on_device(const Kernel kernel, std::int64_t count) {
  std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    kernel(i);
  }
}

template <typename Kernel>
void launch_indices(const void* bytes, std::int64_t count, void* stream) {
  std::int64_t blocks = std::min((count + kThreads - 1) / kThreads, kMaxBlocks);
  run_on_device<<<static_cast<unsigned>(blocks), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      *static_cast<const Kernel*>(bytes), count);
}

// cuBLAS counts columns first: it computes the transpose, from the operands in the other order.
void multiply(const kernels::Gemm<float>& g, cublasHandle_t handle) {
  check_cublas(cublasSgemm(handle, g.b_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                           g.a_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, g.columns, g.rows,
                           g.depth, &g.alpha, g.b, g.stride_b, g.a, g.stride_a, &g.beta, g.c,
                           g.stride_c));
}

void multiply(const kernels::Gemm<double>& g, cublasHandle_t handle) {
  check_cublas(cublasDgemm(handle, g.b_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                           g.a_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, g.columns, g.rows,
                           g.depth, &g.alpha, g.b, g.stride_b, g.a, g.stride_a, &g.beta, g.c,
                           g.stride_c));
}

// Stored as halves, summed as floats.
template <typename Out>
void multiply(const kernels::Gemm<Half, Out>& g, cublasHandle_t handle) {
  constexpr cudaDataType_t kOut = std::is_same_v<Out, Half> ? CUDA_R_16F : CUDA_R_32F;
  check_cublas(cublasGemmEx(handle, g.b_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                            g.a_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, g.columns, g.rows,
                            g.depth, &g.alpha, g.b, CUDA_R_16F, g.stride_b, g.a, CUDA_R_16F,
                            g.stride_a, &g.beta, g.c, kOut, g.stride_c, CUBLAS_COMPUTE_32F,
                            CUBLAS_GEMM_DEFAULT));
}

template <typename Kernel>
void launch_product(const void* bytes, std::int64_t, void* stream) {
  multiply(*static_cast<const Kernel*>(bytes), cublas_handle(stream));
}

struct Install {
  template <typename Kernel>
  void operator()() const {
    if constexpr (Whole<Kernel>) {
      kernel_entry<Kernel>.device = &launch_product<Kernel>;
    } else {
      kernel_entry<Kernel>.device = &launch_indices<Kernel>;
    }
  }
};

}  // namespace

void install_device_kernels() { kernels::for_each_kernel(Install()); }

}  // namespace placecheck::runtime
