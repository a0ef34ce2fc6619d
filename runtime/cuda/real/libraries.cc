#include "runtime/cuda/real/libraries.h"

#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string_view>

namespace placecheck::cuda {
namespace {

struct Library {
  std::string_view prefix;  // of its functions
  const char* variable;     // names another file
  std::array<const char*, 4> names;
};

constexpr Library kLibraries[] = {
    {"nccl", "PLACECHECK_REAL_NCCL", {"libnccl.so.2", "libnccl.so"}},
    {"cublas",
     "PLACECHECK_REAL_CUBLAS",
     {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}},
    {"",
     "PLACECHECK_REAL_CUDART",
     {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "libcudart.so"}},
};

// What a program has loaded comes before what it could load.
void* open_library(const Library& library) {
  if (const char* chosen = std::getenv(library.variable)) return dlopen(chosen, RTLD_LAZY);
  for (const int mode : {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY}) {
    for (const char* name : library.names) {
      void* const opened = name == nullptr ? nullptr : dlopen(name, mode);
      if (opened != nullptr) return opened;
    }
  }
  return nullptr;
}

// Looked for again where it is missing: a program may load it later.
void* library_of(std::string_view function) {
  static std::mutex mutex;
  static std::array<void*, std::size(kLibraries)> opened = {};
  const std::lock_guard<std::mutex> lock(mutex);
  std::size_t i = 0;
  while (!function.starts_with(kLibraries[i].prefix)) ++i;
  if (opened[i] == nullptr) opened[i] = open_library(kLibraries[i]);
  return opened[i];
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
  std::fprintf(stderr, "placecheck: %s was called, but no library of CUDA, cuBLAS or NCCL has it\n",
               name);
  std::abort();
}

}  // namespace placecheck::cuda
