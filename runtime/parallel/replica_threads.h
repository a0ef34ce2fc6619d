// The threads on which replicas run: the caller's for the first, one more for each other. They
// start when they are first needed and wait between runs, awake for the first moment, as a training
// loop soon comes back. Replicas may wait for each other: none waits for a thread. Ownership:
// joined by the destructor. Threads: one run at a time.
#ifndef PLACECHECK_RUNTIME_PARALLEL_REPLICA_THREADS_H_
#define PLACECHECK_RUNTIME_PARALLEL_REPLICA_THREADS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/comm/collectives.h"

namespace placecheck::runtime::nn {

class ReplicaThreads {
 public:
  ReplicaThreads();
  ~ReplicaThreads();
  // Has threads of its own.
  ReplicaThreads(const ReplicaThreads&) : ReplicaThreads() {}
  ReplicaThreads& operator=(const ReplicaThreads&) = delete;

  // call(i) for every device, each on its thread. Waits for all, then throws the error of the
  // lowest i that failed, as rethrow_from() does (core/rethrow.h). Throws if the calling thread
  // runs a replica of these threads already.
  void run(const comm::DeviceList& devices, const std::function<void(std::size_t)>& call);

 private:
  class Run;
  class Worker;

  std::mutex mutex_;  // one run at a time
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_REPLICA_THREADS_H_
