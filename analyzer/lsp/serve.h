// The loop of the language server: reads the client's messages from a descriptor, and waits for
// them and for analyses at the same time.
#pragma once

#include <functional>
#include <string>

#include "analyzer/options.h"

namespace llvm {
class raw_ostream;
}

namespace placecheck::lsp {

// Until the client says `exit`, its input ends, or `is_interrupted` says so. Relative paths in
// `options` start at `base`. Returns the exit code. Threads: one, while the process has no other.
int serve(Options options, const std::string& base, const std::string& version, int input,
          llvm::raw_ostream& out, const std::function<bool()>& is_interrupted);

}  // namespace placecheck::lsp
