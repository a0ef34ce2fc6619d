// What a call of CUDA costs through libplacecheck_real.so, which judges it first, against the same
// call made directly: on this machine's CUDA where PLACECHECK_REAL_CUDART names it, else over the
// virtual library.
//   bazel run -c opt //runtime/bench:forwarding_bench
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCalls = 20000;
constexpr int kRounds = 15;

void* open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  return library;
}

template <typename Function>
Function function(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

double nanoseconds_of(const std::function<void()>& call) {
  const auto begin = Clock::now();
  for (int i = 0; i < kCalls; ++i) call();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / kCalls;
}

// The least of several rounds of each, in turn: others use the machine.
void compare(const char* name, const std::function<void()>& direct,
             const std::function<void()>& judged) {
  double direct_time = nanoseconds_of(direct);
  double judged_time = nanoseconds_of(judged);
  for (int i = 1; i < kRounds; ++i) {
    direct_time = std::min(direct_time, nanoseconds_of(direct));
    judged_time = std::min(judged_time, nanoseconds_of(judged));
  }
  std::printf("%-28s %10.0f %10.0f %8.2f\n", name, direct_time, judged_time,
              judged_time / direct_time);
}

// One library's calls.
struct Calls {
  explicit Calls(void* library)
      : set_device(function<decltype(&cudaSetDevice)>(library, "cudaSetDevice")),
        copy(function<decltype(&cudaMemcpyAsync)>(library, "cudaMemcpyAsync")),
        record(function<decltype(&cudaEventRecord)>(library, "cudaEventRecord")),
        launch(function<decltype(&cudaLaunchKernel)>(library, "cudaLaunchKernel")),
        scale(function<decltype(&cublasSscal)>(library, "cublasSscal_v2")) {}

  decltype(&cudaSetDevice) set_device;
  decltype(&cudaMemcpyAsync) copy;
  decltype(&cudaEventRecord) record;
  decltype(&cudaLaunchKernel) launch;
  decltype(&cublasSscal) scale;  // null where cuBLAS is a library of its own
};

using Register = int (*)(void**, const char*, char*, const char*, int, void*, void*, void*, void*,
                         int*);

}  // namespace

int main() {
  const char* chosen = std::getenv("PLACECHECK_REAL_CUDART");
  const bool is_virtual = chosen == nullptr;
  const std::string path = is_virtual ? "runtime/cuda/libplacecheck_cuda.so" : chosen;
  setenv("PLACECHECK_REAL_CUDART", path.c_str(), 1);
  void* const cuda = open_library(path);
  void* const real = open_library("runtime/cuda/real/libplacecheck_real.so");
  const Calls direct(cuda);
  const Calls judged(real);

  void* memory = nullptr;
  cudaEvent_t event = nullptr;
  function<decltype(&cudaMalloc)>(cuda, "cudaMalloc")(&memory, 1 << 20);
  function<decltype(&cudaEventCreate)>(real, "cudaEventCreate")(&event);
  if (memory == nullptr) {
    std::fprintf(stderr, "no device\n");
    return 1;
  }
  std::vector<char> host(1 << 20);
  std::printf("%-28s %10s %10s %8s\n", "ns a call", "direct", "judged", "ratio");
  const auto both = [&](const char* name, const std::function<void(const Calls&)>& call) {
    compare(name, [&] { call(direct); }, [&] { call(judged); });
  };
  both("cudaSetDevice", [](const Calls& calls) { calls.set_device(0); });
  both("cudaEventRecord", [&](const Calls& calls) { calls.record(event, nullptr); });
  for (const auto& [name, bytes] : {std::pair{"cudaMemcpyAsync, 64 B", std::size_t{64}},
                                    std::pair{"cudaMemcpyAsync, 64 KiB", std::size_t{1} << 16}}) {
    both(name, [&, bytes = bytes](const Calls& calls) {
      calls.copy(memory, host.data(), bytes, cudaMemcpyHostToDevice, nullptr);
    });
  }
  if (!is_virtual) return 0;
  // Real kernels are compiled: here a name that no device runs is enough.
  static const char kernel = 0;
  function<Register>(real, "__cudaRegisterFunction")(nullptr, &kernel, nullptr, "_Z3addPfPKfS1_i",
                                                     -1, nullptr, nullptr, nullptr, nullptr,
                                                     nullptr);
  int count = 64;
  std::array<void*, 4> arguments = {static_cast<void*>(&memory), static_cast<void*>(&memory),
                                    static_cast<void*>(&memory), &count};
  both("cudaLaunchKernel, 3 pointers", [&](const Calls& calls) {
    calls.launch(&kernel, dim3(1), dim3(64), arguments.data(), 0, nullptr);
  });
  setenv("PLACECHECK_REAL_CUBLAS", path.c_str(), 1);
  cublasHandle_t handle = nullptr;
  function<decltype(&cublasCreate)>(real, "cublasCreate_v2")(&handle);
  const float by = 2.0F;
  both("cublasSscal",
       [&](const Calls& calls) { calls.scale(handle, 64, &by, static_cast<float*>(memory), 1); });
  return 0;
}
