// One line on a terminal: how many files are done, how fast, and how long the rest will take.
//
// Not for several threads at once. Errors: none.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace llvm {
class raw_ostream;
}

namespace placecheck {

// The text of the line, at most `columns` wide; what does not fit of the file's name is left out at
// its front.
std::string progress_line(size_t done, size_t total, std::chrono::duration<double> elapsed,
                          std::string_view file, size_t columns);

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // Shows nothing unless `shown`. `columns` is the width of the terminal; 0: not known.
  Progress(llvm::raw_ostream& err, bool shown, size_t total, size_t columns);
  // Work on `file` begins: what was begun before it counts as done.
  void step(std::string_view file);
  void clear();

 private:
  llvm::raw_ostream& err_;
  bool shown_;
  size_t total_;
  size_t columns_;
  size_t begun_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace placecheck
