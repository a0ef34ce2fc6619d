// libtorch's definition of a function that this library defines as well.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_NEXT_DEFINITION_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_NEXT_DEFINITION_H_

#include <c10/util/Exception.h>
#include <dlfcn.h>

namespace placecheck::virtual_cuda {

// That of the function that calls this, which has the type Function; throws c10::Error where there
// is none. Call it once, to initialise a static variable.
template <typename Function>
[[gnu::noinline]] Function* next_definition() {
  Dl_info info{};
  const void* caller = __builtin_return_address(0);
  TORCH_CHECK(dladdr(caller, &info) != 0 && info.dli_sname != nullptr,
              "placecheck: a function of libtorch cannot be found");
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, info.dli_sname));
}

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_NEXT_DEFINITION_H_
