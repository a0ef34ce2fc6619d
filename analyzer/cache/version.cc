#include "analyzer/cache/version.h"

#include "analyzer/cache/file_facts.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"

namespace placecheck::cache {

// A version number is not enough while the program is worked on.
std::string build_identity() {
  static int anchor;
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  std::optional<Stamp> stamp = FileFacts().stamp(program);
  std::string text = "clang " LLVM_VERSION_STRING;
  if (stamp) {
    for (int64_t each : {static_cast<int64_t>(stamp->size), stamp->modified, stamp->changed})
      text += " " + std::to_string(each);
  }
  return text;
}

}  // namespace placecheck::cache
