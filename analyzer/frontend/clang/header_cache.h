// Precompiled external headers, shared by all files that may be parsed over the same one.
//
// What is shared: of the large headers that a file reaches before any macro or pragma could change
// them, a canonical set, so that files whose include lists differ need few headers. Of libtorch
// that is torch/torch.h alone (or torch/script.h, or torch/extension.h): finer headers lie inside,
// and what else a file includes is parsed over it as it is written. Where many files have several
// of these, one header for them together comes to exist. Only files without any of them are given
// a header of their own list. The project's include folders are no part of the key: each header
// stands for all folders that hold nothing which its includes could mean instead.
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
  std::string id;        // differs whenever any file that went into it does
  std::string text;      // the includes it consists of
  unsigned counter = 0;  // where __COUNTER__ stands behind it
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
  std::vector<uint64_t> identifiers;                  // hashes of its words and macros, sorted

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
  // `is_eager`: more than one file will come, so that building a header pays at once; else it is
  // built when wanted for the second time.
  HeaderCache(cache::Store& store, cache::FileFacts& facts, bool is_eager);
  ~HeaderCache();

  // The header that `input` may be parsed over, or null; `use` is then what current() needs.
  std::shared_ptr<const SharedHeader> find(const LowerInput& input, HeaderUse& use);

  // Names the header that find() looks for first; empty where there is none.
  std::string wanted(const LowerInput& input) const;

  // Whether a parse made with `use` would be made over the same header today.
  bool is_current(const HeaderUse& use, const IsExternal& is_external);

  // How many headers this run has built.
  unsigned built() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace placecheck::frontend
