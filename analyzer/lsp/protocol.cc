#include "analyzer/lsp/protocol.h"

#include <optional>

#include "analyzer/lsp/documents.h"
#include "llvm/ADT/STLExtras.h"

namespace placecheck::lsp {
namespace {

namespace json = llvm::json;

using llvm::lsp::URIForFile;

// The value behind a row of keys; null where one of them is missing.
const json::Value* at(const json::Value& value, std::initializer_list<llvm::StringRef> keys) {
  const json::Value* here = &value;
  for (llvm::StringRef key : keys) {
    const json::Object* object = here ? here->getAsObject() : nullptr;
    here = object ? object->get(key) : nullptr;
  }
  return here;
}

bool is_true(const json::Value* value) { return value && value->getAsBoolean().value_or(false); }

bool lists(const json::Value* list, llvm::StringRef word) {
  const json::Array* array = list ? list->getAsArray() : nullptr;
  return array &&
         llvm::any_of(*array, [&](const json::Value& each) { return each.getAsString() == word; });
}

// The path of a URI; none of what is no file.
std::optional<std::string> path_in(const json::Value* value) {
  const auto uri = value ? value->getAsString() : std::nullopt;
  if (!uri) return std::nullopt;
  auto file = URIForFile::fromURI(*uri);
  if (file) return path_of(*file);
  llvm::consumeError(file.takeError());
  return std::nullopt;
}

// The paths of [{uri: …}, …].
std::vector<std::string> paths_in(const json::Value* list) {
  std::vector<std::string> paths;
  const json::Array* array = list ? list->getAsArray() : nullptr;
  if (!array) return paths;
  for (const json::Value& each : *array) {
    if (auto path = path_in(at(each, {"uri"}))) paths.push_back(std::move(*path));
  }
  return paths;
}

}  // namespace

bool fromJSON(const json::Value& value, InitializeParams& result, json::Path path) {
  if (!value.getAsObject()) {
    path.report("expected object");
    return false;
  }
  if (lists(at(value, {"capabilities", "general", "positionEncodings"}),
            name_of(PositionEncoding::kUtf8)))
    result.encoding = PositionEncoding::kUtf8;
  result.folders = paths_in(at(value, {"workspaceFolders"}));
  if (result.folders.empty()) {
    if (auto root = path_in(at(value, {"rootUri"}))) result.folders.push_back(std::move(*root));
  }
  result.shows_related = is_true(
      at(value, {"capabilities", "textDocument", "publishDiagnostics", "relatedInformation"}));
  result.takes_markdown =
      lists(at(value, {"capabilities", "textDocument", "hover", "contentFormat"}), "markdown");
  result.takes_watchers = is_true(
      at(value, {"capabilities", "workspace", "didChangeWatchedFiles", "dynamicRegistration"}));
  return true;
}

bool fromJSON(const json::Value& value, CodeActionParams& result, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("textDocument", result.document) || !map.map("range", result.range))
    return false;
  const json::Value* context = at(value, {"context"});
  if (!context) return true;
  // Diagnostics of other tools may stand here, in forms that are none of ours: they are only given
  // back.
  const json::Value* diagnostics = at(*context, {"diagnostics"});
  if (const json::Array* array = diagnostics ? diagnostics->getAsArray() : nullptr) {
    for (const json::Value& each : *array) {
      if (const json::Object* object = each.getAsObject()) result.diagnostics.push_back(*object);
    }
  }
  const json::Value* only = at(*context, {"only"});
  if (const json::Array* array = only ? only->getAsArray() : nullptr) {
    for (const json::Value& each : *array) {
      if (const auto kind = each.getAsString()) result.only.push_back(kind->str());
    }
  }
  return true;
}

bool fromJSON(const json::Value& value, DidSaveParams& result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("textDocument", result.document);
}

bool fromJSON(const json::Value& value, WatchedFilesParams& result, json::Path) {
  result.paths = paths_in(at(value, {"changes"}));
  return true;
}

bool fromJSON(const json::Value& value, WorkspaceFoldersParams& result, json::Path) {
  result.added = paths_in(at(value, {"event", "added"}));
  result.removed = paths_in(at(value, {"event", "removed"}));
  return true;
}

bool fromJSON(const json::Value& value, CancelParams& result, json::Path path) {
  const json::Value* id = at(value, {"id"});
  if (!id) {
    path.report("expected id");
    return false;
  }
  result.id = *id;
  return true;
}

}  // namespace placecheck::lsp
