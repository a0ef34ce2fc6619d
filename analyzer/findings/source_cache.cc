#include "analyzer/findings/source_cache.h"

#include <utility>

#include "analyzer/files/regular_file.h"
#include "llvm/Support/MemoryBuffer.h"

namespace placecheck::findings {

SourceCache::SourceCache() = default;
SourceCache::~SourceCache() = default;
SourceCache::SourceCache(SourceCache&&) noexcept = default;
SourceCache& SourceCache::operator=(SourceCache&&) noexcept = default;

void SourceCache::add(llvm::StringRef file, llvm::StringRef text) {
  Entry& entry = entries_[file];
  entry.buffer = llvm::MemoryBuffer::getMemBufferCopy(text, file);
  split(entry);
}

llvm::StringRef SourceCache::contents(llvm::StringRef file) {
  const Entry& found = entry(file);
  return found.buffer ? found.buffer->getBuffer() : llvm::StringRef();
}

llvm::StringRef SourceCache::line(llvm::StringRef file, unsigned number) {
  const Entry& found = entry(file);
  return number >= 1 && number <= found.lines.size() ? found.lines[number - 1] : llvm::StringRef();
}

std::size_t SourceCache::line_count(llvm::StringRef file) { return entry(file).lines.size(); }

SourceCache::Entry& SourceCache::entry(llvm::StringRef file) {
  auto [found, inserted] = entries_.try_emplace(file);
  Entry& entry = found->second;
  if (!inserted) return entry;
  auto read = files::read_regular_file(file, files::kMaxSource);
  if (read) entry.buffer = std::move(*read);
  split(entry);
  return entry;
}

void SourceCache::split(Entry& entry) {
  entry.lines.clear();
  llvm::StringRef rest = entry.buffer ? entry.buffer->getBuffer() : llvm::StringRef();
  while (!rest.empty()) {
    auto [line, tail] = rest.split('\n');
    line.consume_back("\r");
    entry.lines.push_back(line);
    rest = tail;
  }
}

}  // namespace placecheck::findings
