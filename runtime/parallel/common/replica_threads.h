// The threads on which replicas run: the caller's for the first, one more for each other. They
// start when they are first needed and wait between runs, awake for the first moment, as a training
// loop soon comes back. Replicas may wait for each other: none waits for a thread. Ownership:
// joined by the destructor. Threads: one run at a time.
#ifndef PLACECHECK_RUNTIME_PARALLEL_COMMON_REPLICA_THREADS_H_
#define PLACECHECK_RUNTIME_PARALLEL_COMMON_REPLICA_THREADS_H_

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace placecheck::parallel {

class ReplicaThreads {
 public:
  ReplicaThreads();
  ~ReplicaThreads();
  // Has threads of its own.
  ReplicaThreads(const ReplicaThreads&) : ReplicaThreads() {}
  ReplicaThreads& operator=(const ReplicaThreads&) = delete;

  // call(i) for each i below `count`, each on its thread. Waits for all; the error of each, null
  // where it had none. Throws core::Error where is_nested().
  std::vector<std::exception_ptr> run(std::size_t count,
                                      const std::function<void(std::size_t)>& call);

  // Whether the calling thread runs a replica of these threads already, so that a run would wait
  // for itself, and what is said of it.
  bool is_nested() const;
  static constexpr char kNested[] =
      "a data-parallel module was called inside its own forward, which never ends: call the "
      "wrapped "
      "module there";

 private:
  class Run;
  class Worker;

  std::mutex mutex_;  // one run at a time
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace placecheck::parallel

#endif  // PLACECHECK_RUNTIME_PARALLEL_COMMON_REPLICA_THREADS_H_
