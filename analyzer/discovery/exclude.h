// The exclude globs of the configuration, matched against paths.
//
// "*" and "**" both span folders; a glob without "/" is matched against each name on the way, so
// "generated" leaves out every folder of that name, and one that matches a folder leaves out all
// below it. Ownership: owns its globs. Threads: const use is safe.
// Errors: a glob that cannot be read is left out and said in problems().
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/GlobPattern.h"

namespace placecheck::discovery {

class Exclude {
 public:
  Exclude(std::vector<std::string> globs, std::string root);
  Exclude(const Exclude&) = delete;  // the patterns point into globs_
  Exclude& operator=(const Exclude&) = delete;

  // `path` is absolute; one outside the root is matched by name only.
  bool matches(llvm::StringRef path) const;

  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void add(llvm::StringRef glob);

  std::string root_;
  std::vector<std::string> globs_;
  std::vector<llvm::GlobPattern> by_name_;
  std::vector<llvm::GlobPattern> by_path_;
  std::vector<std::string> problems_;
};

}  // namespace placecheck::discovery
