// The texts that the client has open, as it sees them: what is on disk may be older.
//
// Ownership: owns the texts. Threads: one. Errors: a change that cannot be made is said, and leaves
// the text as it was.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/lsp/positions.h"
#include "llvm/Support/LSP/Protocol.h"

namespace placecheck::lsp {

struct Document {
  llvm::lsp::URIForFile uri;  // as the client wrote it
  std::string path;           // absolute, without "." and ".."
  int64_t version = 0;
  std::string text;
};

// The path of a file that a client names.
std::string path_of(const llvm::lsp::URIForFile& uri);

class DocumentStore {
 public:
  // One that is open already is replaced.
  Document& open(const llvm::lsp::TextDocumentItem& item);
  // Null if it is not open.
  Document* find(const std::string& path);
  // Changes build on one another. False if one of them has a range that ends before it begins.
  static bool change(Document& document, int64_t version,
                     const std::vector<llvm::lsp::TextDocumentContentChangeEvent>& changes,
                     PositionEncoding encoding);
  void close(const std::string& path) { documents_.erase(path); }

  const std::map<std::string, Document>& all() const { return documents_; }

 private:
  std::map<std::string, Document> documents_;  // by path
};

}  // namespace placecheck::lsp
