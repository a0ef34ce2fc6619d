// Work that a device is given and that is done later, by a thread: collectives. A program that
// waits for its devices (synchronize() in devices.h) waits for it. Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_PENDING_WORK_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_PENDING_WORK_H_

#include <memory>

namespace placecheck::virtual_cuda {

class PendingWork {
 public:
  virtual ~PendingWork() = default;

  // Returns when all that was given before is done; throws the error of what failed and that nobody
  // has been told of. By any thread.
  virtual void finish() = 0;
};

// Asked at each synchronization, as long as it lives.
void add_pending_work(const std::shared_ptr<PendingWork>& work);

void finish_pending_work();

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_PENDING_WORK_H_
