// Values of the protocol that llvm/Support/LSP/Protocol.h has not, or not whole.
#pragma once

#include <string>
#include <vector>

#include "analyzer/lsp/positions.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"

namespace placecheck::lsp {

// What of `initialize` decides how to answer. All of it may be absent.
struct InitializeParams {
  PositionEncoding encoding = PositionEncoding::kUtf16;  // utf-8 where the client offers it
  std::vector<std::string> folders;                      // paths of what is open as a whole
  bool shows_related = false;                            // places that a diagnostic refers to
  bool takes_markdown = false;                           // when hovering
  bool takes_watchers = false;                           // can be asked to watch files
};
bool fromJSON(const llvm::json::Value& value, InitializeParams& result, llvm::json::Path path);

struct CodeActionParams {
  llvm::lsp::TextDocumentIdentifier document;
  llvm::lsp::Range range;
  std::vector<llvm::json::Object> diagnostics;  // as the client has them
  std::vector<std::string> only;                // kinds; empty: all
};
bool fromJSON(const llvm::json::Value& value, CodeActionParams& result, llvm::json::Path path);

struct DidSaveParams {
  llvm::lsp::TextDocumentIdentifier document;
};
bool fromJSON(const llvm::json::Value& value, DidSaveParams& result, llvm::json::Path path);

// Of workspace/didChangeWatchedFiles: the files that are no others' business are left out.
struct WatchedFilesParams {
  std::vector<std::string> paths;
};
bool fromJSON(const llvm::json::Value& value, WatchedFilesParams& result, llvm::json::Path path);

struct WorkspaceFoldersParams {
  std::vector<std::string> added;
  std::vector<std::string> removed;
};
bool fromJSON(const llvm::json::Value& value, WorkspaceFoldersParams& result,
              llvm::json::Path path);

struct CancelParams {
  llvm::json::Value id = nullptr;
};
bool fromJSON(const llvm::json::Value& value, CancelParams& result, llvm::json::Path path);

}  // namespace placecheck::lsp
