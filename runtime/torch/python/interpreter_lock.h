// Python's lock, for C++ that a Python program calls and that waits for other threads: those may
// need the lock, if only to give back a tensor that Python has seen.
//
// Python's functions are looked up in the process; without Python nothing is done.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_INTERPRETER_LOCK_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_INTERPRETER_LOCK_H_

namespace placecheck::python {

// While this lives, its thread does not hold the lock; it gets it back if it held it before.
class WithoutInterpreterLock {
 public:
  WithoutInterpreterLock();
  ~WithoutInterpreterLock();
  WithoutInterpreterLock(const WithoutInterpreterLock&) = delete;
  WithoutInterpreterLock& operator=(const WithoutInterpreterLock&) = delete;

 private:
  void* thread_state_ = nullptr;
};

}  // namespace placecheck::python

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_INTERPRETER_LOCK_H_
