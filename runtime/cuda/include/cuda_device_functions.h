// What kernels call, as declarations: enough for Clang to read them on its way to the host code.
#ifndef PLACECHECK_RUNTIME_CUDA_INCLUDE_CUDA_DEVICE_FUNCTIONS_H_
#define PLACECHECK_RUNTIME_CUDA_INCLUDE_CUDA_DEVICE_FUNCTIONS_H_

// NOLINTBEGIN: the names are NVIDIA's.

struct uint3 {
  unsigned x, y, z;
};
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

__device__ void __syncthreads();
__device__ void __syncwarp(unsigned mask = 0xffffffffU);
__device__ void __threadfence();
__device__ void __threadfence_system();
__device__ unsigned __ballot_sync(unsigned mask, int is_set);
__device__ unsigned __activemask();
__device__ int printf(const char* format, ...);

#define PLACECHECK_ATOMIC(name) \
  template <typename T>         \
  __device__ T name(T* address, T value);
PLACECHECK_ATOMIC(atomicAdd)
PLACECHECK_ATOMIC(atomicSub)
PLACECHECK_ATOMIC(atomicMax)
PLACECHECK_ATOMIC(atomicMin)
PLACECHECK_ATOMIC(atomicExch)
#undef PLACECHECK_ATOMIC
template <typename T>
__device__ T atomicCAS(T* address, T compare, T value);
template <typename T>
__device__ T __ldg(const T* address);

#define PLACECHECK_SHUFFLE(name) \
  template <typename T>          \
  __device__ T name(unsigned mask, T value, int lane, int width = 32);
PLACECHECK_SHUFFLE(__shfl_sync)
PLACECHECK_SHUFFLE(__shfl_up_sync)
PLACECHECK_SHUFFLE(__shfl_down_sync)
PLACECHECK_SHUFFLE(__shfl_xor_sync)
#undef PLACECHECK_SHUFFLE

// C's library declares these for the host only.
#define PLACECHECK_OF_ONE(name)   \
  __device__ double name(double); \
  __device__ float name##f(float);
PLACECHECK_OF_ONE(ceil)
PLACECHECK_OF_ONE(cos)
PLACECHECK_OF_ONE(erf)
PLACECHECK_OF_ONE(exp)
PLACECHECK_OF_ONE(fabs)
PLACECHECK_OF_ONE(floor)
PLACECHECK_OF_ONE(log)
PLACECHECK_OF_ONE(log2)
PLACECHECK_OF_ONE(round)
PLACECHECK_OF_ONE(rsqrt)
PLACECHECK_OF_ONE(sin)
PLACECHECK_OF_ONE(sqrt)
PLACECHECK_OF_ONE(tanh)
#undef PLACECHECK_OF_ONE
#define PLACECHECK_OF_TWO(name)           \
  __device__ double name(double, double); \
  __device__ float name##f(float, float);
PLACECHECK_OF_TWO(fmax)
PLACECHECK_OF_TWO(fmin)
PLACECHECK_OF_TWO(fmod)
PLACECHECK_OF_TWO(pow)
#undef PLACECHECK_OF_TWO
__device__ float fmaf(float, float, float);
__device__ float __expf(float);
__device__ float __logf(float);
__device__ float __fdividef(float, float);
template <typename A, typename B>
__host__ __device__ constexpr auto min(A a, B b) -> decltype(a + b) {
  return a < b ? a : b;
}
template <typename A, typename B>
__host__ __device__ constexpr auto max(A a, B b) -> decltype(a + b) {
  return a < b ? b : a;
}

// NOLINTEND

#endif  // PLACECHECK_RUNTIME_CUDA_INCLUDE_CUDA_DEVICE_FUNCTIONS_H_
