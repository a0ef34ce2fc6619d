// Reads a YAML mapping from text that may be anything; says what is wrong with it, and where.
//
// No state; any thread. Errors: a sentence that begins with the file and line; empty is good.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

namespace placecheck {

struct YamlError {
  std::string path;  // for what LLVM does not know the place of
  std::string text;
};

// A diagnostic handler for a YamlError: those that follow the first only come of it.
void keep_first_diagnostic(const llvm::SMDiagnostic& diagnostic, void* error);

// yaml::Input crashes on texts that are no YAML mapping; the parser alone says what is wrong.
std::string yaml_syntax_error(const std::string& text, const std::string& path);

// Whether there is more than comments and empty lines.
bool has_yaml_content(llvm::StringRef text);

// `T` has MappingTraits. An empty text leaves `out` as it is.
template <typename T>
std::string read_yaml(const std::string& text, const std::string& path, T& out) {
  if (!has_yaml_content(text)) return "";
  if (!llvm::json::isUTF8(text)) return path + ": not a text file in UTF-8";
  YamlError error{path, yaml_syntax_error(text, path)};
  if (!error.text.empty()) return error.text;
  // The file is named through the buffer, so that diagnostics can say where they are.
  llvm::MemoryBufferRef buffer(text, path);
  llvm::yaml::Input input(buffer, /*Ctxt=*/nullptr, keep_first_diagnostic, &error);
  input >> out;
  if (input.error() && error.text.empty()) error.text = path + ": not what is expected here";
  return error.text;
}

}  // namespace placecheck
