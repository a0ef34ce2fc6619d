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

struct Environment {
  bool out_is_terminal = false;  // colours
  bool err_is_terminal = false;  // progress
  // Asked often while files are worked on; once it says yes, the run ends with what is known.
  std::function<bool()> is_interrupted{};
  std::string commit{};  // of the sources, for --version; empty: unknown
  int in = 0;            // the descriptor that --lsp reads from
};

// `args` is argv without the program's name.
int run(const std::vector<std::string>& args, llvm::raw_ostream& out, llvm::raw_ostream& err,
        Environment environment = {});

}  // namespace placecheck
