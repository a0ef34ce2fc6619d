#include "runtime/torch/python/interpreter_lock.h"

#include <dlfcn.h>

namespace placecheck::python {
namespace {

struct Api {
  int (*is_initialized)();
  int (*holds_lock)();
  void* (*give_back)();
  void (*take)(void*);
};

template <class Function>
bool find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

const Api* api() {
  static Api api{};
  static const bool kIsThere =
      find(api.is_initialized, "Py_IsInitialized") && find(api.holds_lock, "PyGILState_Check") &&
      find(api.give_back, "PyEval_SaveThread") && find(api.take, "PyEval_RestoreThread");
  return kIsThere ? &api : nullptr;
}

}  // namespace

WithoutInterpreterLock::WithoutInterpreterLock() {
  const Api* python = api();
  if (python == nullptr || python->is_initialized() == 0 || python->holds_lock() == 0) return;
  thread_state_ = python->give_back();
}

WithoutInterpreterLock::~WithoutInterpreterLock() {
  if (thread_state_ != nullptr) api()->take(thread_state_);
}

}  // namespace placecheck::python
