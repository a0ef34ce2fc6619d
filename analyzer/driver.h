// The whole run: arguments in, a report out, an exit code back.
//
// Ownership: the streams stay the caller's. Threads: one call at a time, while the process has
// no other thread; it runs its own pools.
// Errors: what goes wrong is said on `err`, and the exit code says so (see options.h); this never
// ends the process.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace placecheck {

struct Terminal {
  bool out = false;  // standard output is one: colours
  bool err = false;  // standard error is one: progress
};

// `args` is argv without the program's name. `is_interrupted` is asked often while files are worked
// on; once it says yes, the run ends with what is known.
int run(const std::vector<std::string>& args, llvm::raw_ostream& out, llvm::raw_ostream& err,
        Terminal terminal = {}, std::function<bool()> is_interrupted = {});

}  // namespace placecheck
