#include "analyzer/config.h"

#include "analyzer/files/regular_file.h"
#include "analyzer/yaml_text.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace llvm::yaml {

template <>
struct MappingTraits<placecheck::Config> {
  static void mapping(IO& io, placecheck::Config& config) {
    io.mapOptional("rules", config.rules);
    io.mapOptional("exclude", config.exclude);
    io.mapOptional("devices", config.devices);
    io.mapOptional("assume", config.assumed);
    io.mapOptional("flags", config.flags);
  }

  static std::string validate(IO&, placecheck::Config& config) {
    if (config.devices && (*config.devices < 1 || *config.devices > 64)) {
      return "devices must be a whole number from 1 to 64";
    }
    for (const std::string& each : config.assumed) {
      if (!placecheck::is_assumption(each))
        return "assume must list " + std::string(placecheck::kAssumptionsText);
    }
    return "";
  }
};

}  // namespace llvm::yaml

namespace placecheck {
namespace {

constexpr char kAccepted[] =
    "; accepted: rules, exclude, flags, assume (lists), devices (a number)";

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
  std::string error = read_yaml(text, path, result.config);
  if (!error.empty()) result.error = error + kAccepted;
  return result;
}

ConfigResult load_config(const std::string& path) {
  auto buffer = files::read_regular_file(path, files::kMaxSettings);
  if (!buffer) {
    ConfigResult result;
    result.error = "configuration file '" + path + "' cannot be read: " +
                   files::why_unreadable(buffer.getError(), files::kMaxSettings);
    return result;
  }
  return parse_config((*buffer)->getBuffer().str(), path);
}

void apply_config(const Config& config, Options& options) {
  if (options.rules.empty()) options.rules = config.rules;
  if (config.devices && !options.devices_given) {
    options.devices = *config.devices;
    options.devices_given = true;
  }
  if (options.assumed.empty()) options.assumed = config.assumed;
  options.exclude = config.exclude;
  options.exclude_root = folder_of(config.path);
  options.config_flags = config.flags;
}

}  // namespace placecheck
