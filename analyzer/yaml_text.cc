#include "analyzer/yaml_text.h"

#include "analyzer/files/nesting.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/YAMLParser.h"

namespace placecheck {
namespace {

constexpr char kNoMapping[] = "not a mapping";

// LLVM names what it did not find; readers of the message want to know what to write.
std::string in_plain_words(llvm::StringRef message) {
  return llvm::StringSwitch<std::string>(message)
      .Case(kNoMapping, "expected keys with values, as in 'key: value'")
      .Case("not a sequence", "expected a list, as in '[one, two]'")
      .Case("unexpected scalar", "expected a single value")
      .Case("invalid boolean", "expected true or false")
      .Cases({"invalid number", "out of range number"}, "expected a whole number")
      .Default(message.str());
}

}  // namespace

void keep_first_diagnostic(const llvm::SMDiagnostic& diagnostic, void* context) {
  YamlError& error = *static_cast<YamlError*>(context);
  if (!error.text.empty()) return;
  const bool has_place = diagnostic.getLineNo() > 0;
  error.text = has_place
                   ? diagnostic.getFilename().str() + ":" + std::to_string(diagnostic.getLineNo())
                   : error.path;
  error.text += ": " + in_plain_words(diagnostic.getMessage());
}

std::string yaml_syntax_error(const std::string& text, const std::string& path) {
  if (text.find('\0') != std::string::npos) return path + ": not a text file";
  if (files::yaml_nesting(text) > files::kMaxNesting)
    return path + ": nested more than " + std::to_string(files::kMaxNesting) + " deep";
  YamlError error{path, {}};
  llvm::SourceMgr sources;
  sources.setDiagHandler(keep_first_diagnostic, &error);
  llvm::yaml::Stream stream(llvm::MemoryBufferRef(text, path), sources, /*ShowColors=*/false);
  llvm::yaml::Node* root = stream.begin()->getRoot();
  const bool is_mapping = root && llvm::isa<llvm::yaml::MappingNode>(root);
  if (is_mapping) root->skip();
  if (error.text.empty() && (!is_mapping || stream.failed()))
    error.text = path + ":1: " + in_plain_words(kNoMapping);
  return error.text;
}

bool has_yaml_content(llvm::StringRef rest) {
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    line = line.trim();
    if (!line.empty() && !line.starts_with("#") && line != "---") return true;
    rest = next;
  }
  return false;
}

}  // namespace placecheck
