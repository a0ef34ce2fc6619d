#include "analyzer/lsp/documents.h"

#include <utility>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace placecheck::lsp {

std::string path_of(const llvm::lsp::URIForFile& uri) {
  llvm::SmallString<256> path(uri.file());
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

Document& DocumentStore::open(const llvm::lsp::TextDocumentItem& item) {
  Document& document = documents_[path_of(item.uri)];
  document = {item.uri, path_of(item.uri), item.version, item.text};
  return document;
}

Document* DocumentStore::find(const std::string& path) {
  const auto found = documents_.find(path);
  return found == documents_.end() ? nullptr : &found->second;
}

bool DocumentStore::change(Document& document, int64_t version,
                           const std::vector<llvm::lsp::TextDocumentContentChangeEvent>& changes,
                           PositionEncoding encoding) {
  std::string text = document.text;
  for (const auto& change : changes) {
    if (!change.range) {
      text = change.text;
      continue;
    }
    const size_t begin = offset_of(change.range->start, text, encoding);
    const size_t end = offset_of(change.range->end, text, encoding);
    if (end < begin) return false;
    text.replace(begin, end - begin, change.text);
  }
  document.text = std::move(text);
  document.version = version;
  return true;
}

}  // namespace placecheck::lsp
