// A file to which mistakes are added, with the stack of their caller (stack.h), while the program
// goes on. A place in the program is reported once:
//
//   device-mismatch: Expected all tensors to be on the same device, but found at least two …
//     note: 'mat1' [8, 4] is on cpu since train.py:41: batch = next(batches)
//     in train(Net&) at train.cc:41 (./program+0x1c3a9)
//
// Thread-safe. It does not own the file's name.
#ifndef PLACECHECK_RUNTIME_CORE_REPORT_H_
#define PLACECHECK_RUNTIME_CORE_REPORT_H_

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace placecheck::core {

class Report {
 public:
  // Null: nothing is reported.
  explicit Report(const char* file) : file_(file) {}

  bool is_on() const { return file_ != nullptr; }
  void add(std::string_view rule, std::string_view message, const std::string& stack);

 private:
  const char* file_;
  std::mutex mutex_;
  std::set<std::string> reported_;
};

}  // namespace placecheck::core

#endif  // PLACECHECK_RUNTIME_CORE_REPORT_H_
