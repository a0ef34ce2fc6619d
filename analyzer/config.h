// The project's configuration file, .placecheck.yaml: which rules, which files, which flags.
//
//   rules:    [device-mismatch, -unregistered-state]   # as --rules
//   severity: {missing-map-location: error, hardcoded-device: off}
//   overrides:                                         # the last that fits a finding counts
//     - paths:    ["tests/**"]
//       severity: {device-mismatch: advice}
//   fail_on:  warning                                  # as --fail-on
//   exclude:  ["third_party/**", "*_generated.cc"]     # globs relative to this file's folder
//   devices:  4                                        # as --devices
//   assume:   [peers]                                  # as --assume
//   scenarios:                                         # checked one by one, in one run
//     visible:  ["2,3", ""]                            # what CUDA_VISIBLE_DEVICES is at the start
//     devices:  [1, 2, 8]
//     assume:   ["", "hmm,peers"]
//   flags:    [-DUSE_CUDA, -Iinclude]                  # appended to every compile command
//   require_reason: true                               # a comment that suppresses says why
//   inherit:  true                                     # over the next such file upwards
//
// The command line wins over the file, and a file over the one that it inherits from. Ownership:
// values only. Threads: no shared state. Errors: ConfigResult::error is one sentence with file,
// line and what is accepted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/options.h"

namespace placecheck {

inline constexpr char kConfigName[] = ".placecheck.yaml";

struct Config {
  using Severities = std::map<std::string, std::string>;  // by rule
  struct Override {
    std::vector<std::string> paths;
    Severities severity;
  };

  std::string path;  // where it was read from
  std::vector<std::string> rules;
  Severities severity;
  std::vector<Override> overrides;
  std::string fail_on;
  std::vector<std::string> exclude;
  std::optional<unsigned> devices;
  std::vector<std::string> assumed;
  Scenarios scenarios;
  std::vector<std::string> flags;
  std::optional<bool> require_reason;
  bool inherit = false;
};

struct ConfigResult {
  Config config;
  std::string error;  // empty: good
};

// The nearest .placecheck.yaml in `directory` or above it; "" when there is none.
std::string find_config(const std::string& directory);

// With what it inherits.
ConfigResult load_config(const std::string& path);

// `text` stands for the content of `path`, alone; for tests and for content not on disk.
ConfigResult parse_config(const std::string& text, const std::string& path);

// What holds where `config` is over `base`, whose folder lies above or is the same.
Config inherited(const Config& base, const Config& config);

// Fills in what the command line left open.
void apply_config(const Config& config, Options& options);

// The settings of a run in the form of the file.
std::string dump_config(const Options& options);

}  // namespace placecheck
