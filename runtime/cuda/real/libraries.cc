#include "runtime/cuda/real/libraries.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

namespace placecheck::cuda {
namespace {

constexpr const char* kCudaNames[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0",
                                      "libcudart.so"};
constexpr const char* kNcclNames[] = {"libnccl.so.2", "libnccl.so"};

// What a program has loaded comes before what it could load.
template <std::size_t kCount>
void* open_library(const char* variable, const char* const (&names)[kCount]) {
  if (const char* chosen = std::getenv(variable)) return dlopen(chosen, RTLD_LAZY);
  for (const int mode : {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY}) {
    for (const char* name : names) {
      if (void* library = dlopen(name, mode)) return library;
    }
  }
  return nullptr;
}

// Looked for again where it is missing: a program may load it later.
void* library_of(std::string_view function) {
  static std::mutex mutex;
  static void* cuda = nullptr;
  static void* nccl = nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  const bool is_nccl = function.starts_with("nccl");
  void*& library = is_nccl ? nccl : cuda;
  if (library == nullptr) {
    library = is_nccl ? open_library("PLACECHECK_REAL_NCCL", kNcclNames)
                      : open_library("PLACECHECK_REAL_CUDART", kCudaNames);
  }
  return library;
}

thread_local int depth = 0;

}  // namespace

bool is_inside_call() { return depth > 0; }

namespace detail {

InsideCall::InsideCall() { ++depth; }
InsideCall::~InsideCall() { --depth; }

}  // namespace detail

void* real_function(const char* name) {
  if (void* next = dlsym(RTLD_NEXT, name)) return next;
  void* const library = library_of(name);
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found != nullptr) return found;
  std::fprintf(stderr, "placecheck: %s was called, but no library of CUDA or NCCL has it\n", name);
  std::abort();
}

}  // namespace placecheck::cuda
