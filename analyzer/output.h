// Where a report goes: a file that is replaced as a whole or not at all, or standard output.
//
// No state; any thread. Errors: a sentence, lower case and without a full stop; empty is good.
#pragma once

#include <string>
#include <string_view>

namespace llvm {
class raw_ostream;
}

namespace placecheck {

// Writes beside `path` first, then renames, so that a reader never sees half a report. What exists
// and is no ordinary file (a pipe, a device) is written to as it is.
std::string write_file(const std::string& path, std::string_view text);

// Told the file that is being looked at; overwrites its own line on a terminal.
class Progress {
 public:
  Progress(llvm::raw_ostream& err, bool shown, size_t total);
  void step(std::string_view file);
  void clear();

 private:
  llvm::raw_ostream& err_;
  bool shown_;
  size_t total_;
  size_t done_ = 0;
};

}  // namespace placecheck
