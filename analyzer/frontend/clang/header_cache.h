// Precompiled external headers, shared by all files that may be parsed over the same one.
//
// What is shared: of the large headers that a file reaches before any macro or pragma could change
// them, a canonical set. Of libtorch that is torch/torch.h with torch/script.h and
// torch/extension.h where used; the finer headers of it lie inside and are not named by
// themselves, so that a folder whose files differ in their include lists needs one header, seldom
// two. Only a file without one of these is given its own list of torch's and ATen's headers. The
// project's include folders are no part of the key: each header stands for all folders that hold
// nothing which its includes could mean instead. Everything else is parsed over the shared header
// as it is written.
//
// Function bodies in it are skipped, as they are in a plain parse, so that both give the same IR.
// Ownership: owns what it has loaded; a SharedHeader lives as long as anyone holds it.
// Threads: find and current may be called by many; one builds a header while the others wait.
// Errors: none. Where anything is in doubt there is no header, and the caller parses plainly.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/cache/file_facts.h"
#include "analyzer/cache/store.h"
#include "analyzer/frontend/clang/include_scan.h"
#include "analyzer/frontend/clang/lower.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace placecheck::frontend {

// What a header was made from; small enough to be read in runs that parse nothing.
struct HeaderInfo {
  std::string key;
  std::string id;    // differs whenever any file that went into it does
  std::string text;  // the includes it consists of
  std::vector<std::pair<std::string, cache::Stamp>> files;
  std::vector<std::string> absent;           // looked for in vain
  std::vector<std::string> found;            // includes that a folder of the project could answer
  std::vector<std::string> missing;          // __has_include without an answer
  std::map<std::string, std::string> roots;  // the included headers' paths
};

struct SharedHeader {
  HeaderInfo info;
  std::optional<cache::Entry> entry;
  std::shared_ptr<llvm::SmallVector<char, 0>> fresh;  // where the entry could not be written
  std::vector<uint64_t> identifiers;                  // hashes of all words in it, sorted

  llvm::StringRef bytes() const {
    return entry ? entry->bytes() : llvm::StringRef(fresh->data(), fresh->size());
  }
  // `base` with the header laid over it, under path().
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> mounted(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base) const;
  std::string path() const;
};

// Which header a file was parsed over, and on what condition.
struct HeaderUse {
  std::string key;
  std::string id;
  IncludeFolders project_folders;
};

class HeaderCache {
 public:
  // `is_eager`: more than one file will come, so that building a header pays at once; else one is
  // built when it is wanted for the second time.
  HeaderCache(cache::Store& store, cache::FileFacts& facts, bool is_eager);
  ~HeaderCache();

  // The header that `input` may be parsed over, or null; `use` is then what current() needs.
  std::shared_ptr<const SharedHeader> find(const LowerInput& input, HeaderUse& use);

  // Whether a parse made with `use` would be made over the same header today.
  bool is_current(const HeaderUse& use);

  // How many headers this run has built.
  unsigned built() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace placecheck::frontend
