// The lines of the source files that findings point at, read once each. A file that cannot be read
// has no lines; that is no error. Returned text lives as long as the cache. Not thread-safe.
#ifndef PLACECHECK_ANALYZER_FINDINGS_SOURCE_CACHE_H_
#define PLACECHECK_ANALYZER_FINDINGS_SOURCE_CACHE_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class MemoryBuffer;
}

namespace placecheck::findings {

class SourceCache {
 public:
  SourceCache();
  ~SourceCache();
  SourceCache(SourceCache&&) noexcept;
  SourceCache& operator=(SourceCache&&) noexcept;

  // Makes `file` stand for this text instead of what is on disk.
  void add(llvm::StringRef file, llvm::StringRef text);

  // The whole file; empty if it cannot be read.
  llvm::StringRef contents(llvm::StringRef file);
  // Line `number`, counted from 1, without its line end; empty if there is none.
  llvm::StringRef line(llvm::StringRef file, unsigned number);
  std::size_t line_count(llvm::StringRef file);

 private:
  struct Entry {
    std::unique_ptr<llvm::MemoryBuffer> buffer;  // null if unreadable
    std::vector<llvm::StringRef> lines;
  };

  Entry& entry(llvm::StringRef file);
  static void split(Entry& entry);

  llvm::StringMap<Entry> entries_;
};

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_SOURCE_CACHE_H_
