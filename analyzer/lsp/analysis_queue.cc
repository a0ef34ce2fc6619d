#include "analyzer/lsp/analysis_queue.h"

#include <algorithm>
#include <utility>

namespace placecheck::lsp {

void AnalysisQueue::want(const std::string& path, Clock::duration delay) {
  due_[path] = Clock::now() + delay;
  if (is_running(path) && !process_->is_worth_waiting()) process_.reset();
}

void AnalysisQueue::want_at_once(const std::string& path, Clock::duration delay) {
  want(path, delay);
  if (!process_ || is_running(path) || process_->is_worth_waiting()) return;
  // Behind the one that it makes way for.
  due_.try_emplace(running_.path, due_[path]);
  process_.reset();
}

void AnalysisQueue::drop(const std::string& path) {
  due_.erase(path);
  if (is_running(path)) process_.reset();
}

bool AnalysisQueue::is_waiting(const std::string& path) const {
  return due_.count(path) != 0 || is_running(path);
}

std::optional<AnalysisQueue::Clock::time_point> AnalysisQueue::next_due() const {
  if (process_ || due_.empty()) return std::nullopt;
  return std::ranges::min_element(due_, {}, [](const auto& entry) { return entry.second; })->second;
}

std::optional<AnalysisQueue::Finished> AnalysisQueue::start_due(
    const std::function<std::optional<Task>(const std::string&)>& task_of) {
  const auto due = next_due();
  if (!due || *due > Clock::now()) return std::nullopt;
  const auto first = std::ranges::find(due_, *due, [](const auto& entry) { return entry.second; });
  const std::string path = first->first;
  due_.erase(first);
  const std::optional<Task> task = task_of(path);
  if (!task) return std::nullopt;
  running_ = {path, task->version, std::nullopt};
  process_ = AnalysisProcess::start([&task](const std::function<void()>& lowered) {
    return bytes_of(analyze_document(task->request, lowered));
  });
  if (process_) return std::nullopt;
  return running_;
}

std::optional<AnalysisQueue::Finished> AnalysisQueue::receive() {
  if (!process_) return std::nullopt;
  const AnalysisProcess::State state = process_->receive();
  if (state == AnalysisProcess::State::kRunning) return std::nullopt;
  if (state == AnalysisProcess::State::kDone)
    running_.analysis = analysis_from(process_->take_result());
  process_.reset();
  return std::move(running_);
}

}  // namespace placecheck::lsp
