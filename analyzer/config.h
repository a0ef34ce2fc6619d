// The project's configuration file, .placecheck.yaml: which rules, which files, which flags.
//
//   rules:   [device-mismatch, -unregistered-state]   # as --rules
//   exclude: ["third_party/**", "*_generated.cc"]     # globs relative to this file's folder
//   devices: 4                                        # as --devices
//   assume:  [peers]                                  # as --assume
//   flags:   [-DUSE_CUDA, -Iinclude]                  # appended to every compile command
//
// The command line wins over the file. Ownership: values only. Threads: no shared state.
// Errors: ConfigResult::error is one sentence with file, line and what is accepted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/options.h"

namespace placecheck {

inline constexpr char kConfigName[] = ".placecheck.yaml";

struct Config {
  std::string path;  // where it was read from
  std::vector<std::string> rules;
  std::vector<std::string> exclude;
  std::optional<unsigned> devices;
  std::vector<std::string> assumed;
  std::vector<std::string> flags;
};

struct ConfigResult {
  Config config;
  std::string error;  // empty: good
};

// The nearest .placecheck.yaml in `directory` or above it; "" when there is none.
std::string find_config(const std::string& directory);

ConfigResult load_config(const std::string& path);

// `text` stands for the content of `path`; for tests and for content not on disk.
ConfigResult parse_config(const std::string& text, const std::string& path);

// Fills in what the command line left open.
void apply_config(const Config& config, Options& options);

}  // namespace placecheck
