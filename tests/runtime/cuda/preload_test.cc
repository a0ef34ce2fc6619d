// libplacecheck_cuda.so has what programs for CUDA look for, by the names that their headers give
// it.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstddef>

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
  using Allocate = int (*)(void**, std::size_t);
  const auto allocate = reinterpret_cast<Allocate>(dlsym(library, "cudaMalloc"));
  void* memory = nullptr;
  EXPECT_EQ(allocate(&memory, 64), 0);
  EXPECT_NE(memory, nullptr);
}

}  // namespace
