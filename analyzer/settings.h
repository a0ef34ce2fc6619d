// What holds for one run: the command line over the project's configuration, and the tables of
// calls that it names.
//
// Ownership: values. Threads: no shared state. Errors: sentences, lower case and without a full
// stop.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/models/libraries/user_models.h"
#include "analyzer/options.h"

namespace placecheck {

struct Settings {
  Options options;
  models::UserModels models;
};

// The ids of all rules, and of those that the options let speak.
std::vector<std::string_view> rule_ids();
std::vector<std::string_view> enabled_rules(const Options& options);

// Lays the options over the configuration file that they name, or that is nearest to `base`
// upwards; of actions for build systems, that they name.
std::vector<std::string> read_config(Options& options, const std::string& base);

// Checks the names of rules, and reads the tables of calls; relative paths start at `base`.
std::vector<std::string> complete(Settings& settings, const std::string& base);

}  // namespace placecheck
