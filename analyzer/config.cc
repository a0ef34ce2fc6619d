#include "analyzer/config.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/YAMLTraits.h"

namespace llvm::yaml {

template <>
struct MappingTraits<placecheck::Config> {
  static void mapping(IO& io, placecheck::Config& config) {
    io.mapOptional("rules", config.rules);
    io.mapOptional("exclude", config.exclude);
    io.mapOptional("devices", config.devices);
    io.mapOptional("flags", config.flags);
  }

  static std::string validate(IO&, placecheck::Config& config) {
    if (config.devices && (*config.devices < 1 || *config.devices > 64)) {
      return "devices must be a whole number from 1 to 64";
    }
    return "";
  }
};

}  // namespace llvm::yaml

namespace placecheck {
namespace {

constexpr char kAccepted[] = "; accepted: rules, exclude, flags (lists), devices (a number)";

// Keeps the first diagnostic: those that follow only come of it.
void keep_first(const llvm::SMDiagnostic& diagnostic, void* context) {
  std::string& error = *static_cast<std::string*>(context);
  if (!error.empty()) return;
  error = diagnostic.getFilename().str() + ":" + std::to_string(diagnostic.getLineNo()) + ": " +
          diagnostic.getMessage().str();
}

// yaml::Input crashes on texts that are no YAML mapping; the parser alone says what is wrong.
std::string syntax_error(const std::string& text, const std::string& path) {
  if (text.find('\0') != std::string::npos) return path + ": not a text file";
  std::string error;
  llvm::SourceMgr sources;
  sources.setDiagHandler(keep_first, &error);
  llvm::yaml::Stream stream(llvm::MemoryBufferRef(text, path), sources, /*ShowColors=*/false);
  llvm::yaml::Node* root = stream.begin()->getRoot();
  const bool is_mapping = root && llvm::isa<llvm::yaml::MappingNode>(root);
  if (is_mapping) root->skip();
  if (error.empty() && (!is_mapping || stream.failed())) error = path + ":1: not a mapping";
  return error;
}

bool has_content(const std::string& text) {
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    line = line.trim();
    if (!line.empty() && !line.starts_with("#") && line != "---") return true;
    rest = next;
  }
  return false;
}

std::string folder_of(const std::string& path) {
  llvm::SmallString<256> absolute(path);
  if (llvm::sys::fs::make_absolute(absolute)) return "";
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return llvm::sys::path::parent_path(absolute).str();
}

}  // namespace

std::string find_config(const std::string& directory) {
  llvm::StringRef folder = directory;
  while (!folder.empty()) {
    llvm::SmallString<256> candidate(folder);
    llvm::sys::path::append(candidate, kConfigName);
    if (llvm::sys::fs::exists(candidate)) return candidate.str().str();
    folder = llvm::sys::path::parent_path(folder);
  }
  return "";
}

ConfigResult parse_config(const std::string& text, const std::string& path) {
  ConfigResult result;
  result.config.path = path;
  if (!has_content(text)) return result;
  if (!llvm::json::isUTF8(text)) {
    result.error = path + ": not a text file in UTF-8" + kAccepted;
    return result;
  }
  std::string error = syntax_error(text, path);
  if (!error.empty()) {
    result.error = error + kAccepted;
    return result;
  }
  // The file is named through the buffer, so that diagnostics can say where they are.
  llvm::MemoryBufferRef buffer(text, path);
  llvm::yaml::Input input(buffer, /*Ctxt=*/nullptr, keep_first, &error);
  input >> result.config;
  if (input.error() && error.empty()) error = path + ": not a configuration file";
  if (!error.empty()) result.error = error + kAccepted;
  return result;
}

ConfigResult load_config(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    ConfigResult result;
    result.error =
        "configuration file '" + path + "' cannot be read: " + buffer.getError().message();
    return result;
  }
  return parse_config((*buffer)->getBuffer().str(), path);
}

void apply_config(const Config& config, Options& options) {
  if (options.rules.empty()) options.rules = config.rules;
  if (config.devices && !options.devices_given) options.devices = *config.devices;
  options.exclude = config.exclude;
  options.exclude_root = folder_of(config.path);
  options.config_flags = config.flags;
}

}  // namespace placecheck
