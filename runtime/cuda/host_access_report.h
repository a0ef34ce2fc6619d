// What is said of the program's own accesses to memory of a device, from the handler of the signal
// that they raise: on standard error, or in the report (witness.h). A report names functions and
// lines, which needs locks and memory: a thread of its own writes it while the handler waits, with
// a deadline, since the interrupted code may hold what that thread needs.
#ifndef PLACECHECK_RUNTIME_CUDA_HOST_ACCESS_REPORT_H_
#define PLACECHECK_RUNTIME_CUDA_HOST_ACCESS_REPORT_H_

namespace placecheck::cuda {

// Before the handler is there, and again in a child that was forked. Thread-safe.
void prepare_host_access_reports();

// Whether the program goes on. Async-signal-safe and thread-safe.
bool tell_host_access(int device) noexcept;

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_HOST_ACCESS_REPORT_H_
