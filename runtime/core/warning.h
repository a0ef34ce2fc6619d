// Warnings: PyTorch's texts, to stderr unless a program takes them itself. Threads: any.
#ifndef PLACECHECK_RUNTIME_CORE_WARNING_H_
#define PLACECHECK_RUNTIME_CORE_WARNING_H_

#include <functional>
#include <string>

namespace placecheck::runtime {

using WarningHandler = std::function<void(const std::string&)>;

void warn(const std::string& text);

// Hands warnings to `handler` for a scope, in every thread.
class ScopedWarningHandler {
 public:
  explicit ScopedWarningHandler(WarningHandler handler);
  ~ScopedWarningHandler();
  ScopedWarningHandler(const ScopedWarningHandler&) = delete;
  ScopedWarningHandler& operator=(const ScopedWarningHandler&) = delete;

 private:
  WarningHandler previous_;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_WARNING_H_
