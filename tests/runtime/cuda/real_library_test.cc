// How libplacecheck_real.so finds the libraries that it stands before, where none comes after it in
// the process: as under Python, which loads CUDA for PyTorch alone.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

using Free = decltype(&cudaFree);

Free free_of_real() {
  void* library = dlopen("runtime/cuda/real/libplacecheck_real.so", RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(dlsym(library, "cudaMalloc"), nullptr) << "what needs no judgement is not taken";
  return reinterpret_cast<Free>(dlsym(library, "cudaFree"));
}

TEST(RealLibraryDeathTest, WithoutALibraryTheCallIsNamed) {
  setenv("PLACECHECK_REAL_CUDART", "/nonexistent", 1);
  const Free free_memory = free_of_real();
  EXPECT_DEATH(free_memory(nullptr),
               "cudaFree was called, but no library of CUDA, cuBLAS or NCCL has it");
}

TEST(RealLibraryTest, ALibraryMayBeNamed) {
  setenv("PLACECHECK_REAL_CUDART", "runtime/cuda/libplacecheck_cuda.so", 1);
  const Free free_memory = free_of_real();
  EXPECT_EQ(free_memory(nullptr), cudaSuccess);
  int local = 0;
  testing::internal::CaptureStderr();
  EXPECT_EQ(free_memory(&local), cudaErrorInvalidValue);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("[cuda-pointer-placement]"),
            std::string::npos);
}

}  // namespace
