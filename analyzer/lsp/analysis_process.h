// A piece of work in a process of its own, which is ended when nobody wants its result any more:
// the server answers meanwhile, and starts no thread, so that the work may start processes (see
// worker_pool.h).
//
// Ownership: owns the process; none outlives this object. Threads: one, while the process has no
// other. Errors: a process that ended without a result has failed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace placecheck::lsp {

class AnalysisProcess {
 public:
  using Clock = std::chrono::steady_clock;
  // Runs in the process; what it returns is the result. The argument is called when what comes next
  // cannot be kept for another time: see is_worth_waiting.
  using Work = std::function<std::string(const std::function<void()>&)>;

  // Null if no process can be started.
  static std::unique_ptr<AnalysisProcess> start(const Work& work);
  ~AnalysisProcess();  // ends it
  AnalysisProcess(const AnalysisProcess&) = delete;
  AnalysisProcess& operator=(const AnalysisProcess&) = delete;

  // To be polled for input; then receive() is to be called.
  int descriptor() const { return descriptor_; }

  enum class State { kRunning, kDone, kFailed };
  State receive();
  std::string take_result() { return std::move(result_); }

  // Whether it has been reading files for so long that it must be making what later runs use, such
  // as a shared header: begun anew with each keystroke it would never be done.
  bool is_worth_waiting() const;

 private:
  AnalysisProcess(pid_t pid, int descriptor) : pid_(pid), descriptor_(descriptor) {}

  pid_t pid_;
  int descriptor_;
  Clock::time_point begin_ = Clock::now();
  std::string bytes_;
  std::string result_;
  bool has_lowered_ = false;
};

}  // namespace placecheck::lsp
