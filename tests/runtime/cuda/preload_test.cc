// libplacecheck_cuda.so has what programs for CUDA look for, by the names that their headers give
// it.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace {

TEST(CudaPreloadTest, TheLibraryStandsOnItsOwn) {
  void* library = dlopen("runtime/cuda/libplacecheck_cuda.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  for (const char* name :
       {"cudaMalloc", "cudaMemcpyAsync", "cudaGetErrorString", "__cudaRegisterFunction",
        "__cudaPushCallConfiguration", "__cudaLaunchKernel", "cublasCreate_v2", "cublasSgemm_v2",
        "ncclCommInitAll", "ncclAllReduce"}) {
    EXPECT_NE(dlsym(library, name), nullptr) << name;
  }
  const auto allocate = reinterpret_cast<decltype(&cudaMalloc)>(dlsym(library, "cudaMalloc"));
  void* memory = nullptr;
  EXPECT_EQ(allocate(&memory, 64), cudaSuccess);
  EXPECT_NE(memory, nullptr);
}

}  // namespace
