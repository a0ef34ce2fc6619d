// The process's threads, asked of Linux.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_IDLE_THREADS_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_IDLE_THREADS_H_

#include <chrono>

namespace placecheck::python {

// Returns when all other threads sleep, or after `longest`. Any thread may call.
void wait_until_threads_sleep(std::chrono::milliseconds longest);

}  // namespace placecheck::python

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_IDLE_THREADS_H_
