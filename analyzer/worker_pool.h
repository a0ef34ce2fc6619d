// Runs jobs in child processes, so that what one of them does (crash, never end, take all memory)
// ends that job alone.
//
// Children are forked from the caller and inherit all that it holds; they are forked anew where one
// ended, and none outlives run(). Ownership: results are bytes. Threads: run() must be called while
// the process has no other thread; it starts none. Errors: a job without a result says how it
// ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace placecheck {

struct JobLimits {
  unsigned seconds = 0;  // of processor time for one job; 0: no limit
  uint64_t memory = 0;   // MB for one process; 0: no limit
  // By the clock, for one job that waits (for a lock, a slow disk) without using the processor;
  // counted only where `seconds` is. A machine under load needs much of it.
  unsigned patience = 3600;
};

enum class JobEnd {
  kDone,
  kCrashed,
  kOutOfTime,
  kOutOfMemory,
  kNotStarted,  // no process could be made
  kStopped,     // the run was stopped before the job ended, or began
};

struct JobResult {
  JobEnd end = JobEnd::kStopped;
  std::string bytes;  // of kDone
  int signal = 0;     // of kCrashed; 0: it left without a word
};

// What runs in the child. A job that left its process in doubt asks for a fresh one.
struct JobOutput {
  std::string bytes;
  bool is_last = false;
};

struct Jobs {
  size_t count = 0;
  std::function<JobOutput(size_t)> work;        // in a child
  std::function<void(size_t)> begun;            // in the caller
  std::function<void(size_t, JobResult)> done;  // in the caller, in any order, for each job
  std::function<bool()> should_stop;            // asked often; may be empty
};

// Uses up to `processes` children at a time.
void run_jobs(const Jobs& jobs, unsigned processes, const JobLimits& limits);

// In a child: the job's time starts again, for what it did so far was for others too.
void restart_job_clock();

}  // namespace placecheck
