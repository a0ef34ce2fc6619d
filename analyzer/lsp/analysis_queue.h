// Which documents wait for an analysis, and the one that is under way.
//
// Ownership: owns the process that works. Threads: one, while the process has no other. Errors: an
// analysis that failed is finished without a result.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "analyzer/lsp/analysis.h"
#include "analyzer/lsp/analysis_process.h"

namespace placecheck::lsp {

class AnalysisQueue {
 public:
  using Clock = std::chrono::steady_clock;

  struct Task {
    AnalysisRequest request;
    int64_t version = 0;  // of the document
  };
  struct Finished {
    std::string path;
    int64_t version = 0;
    std::optional<Analysis> analysis;  // none: it crashed, or could not be started
  };

  // After `delay`; a later wish for the same document replaces an earlier one. What is under way
  // for an older text of it is ended.
  void want(const std::string& path, Clock::duration delay);
  // The same for what a user is looking at: work on other documents makes way for it.
  void want_at_once(const std::string& path, Clock::duration delay);
  void drop(const std::string& path);
  bool is_waiting(const std::string& path) const;

  // When start_due() has something to do, as long as nothing else happens.
  std::optional<Clock::time_point> next_due() const;
  // `task_of` says what to do for a document; none: nothing any more. Returns what could not be
  // started.
  std::optional<Finished> start_due(
      const std::function<std::optional<Task>(const std::string&)>& task_of);

  // To be polled for input, upon which receive() is to be called; -1: nothing is under way.
  int descriptor() const { return process_ ? process_->descriptor() : -1; }
  std::optional<Finished> receive();

 private:
  bool is_running(const std::string& path) const { return process_ && running_.path == path; }

  std::map<std::string, Clock::time_point> due_;
  std::unique_ptr<AnalysisProcess> process_;
  Finished running_;
};

}  // namespace placecheck::lsp
