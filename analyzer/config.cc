#include "analyzer/config.h"

#include <algorithm>
#include <iterator>

#include "analyzer/files/regular_file.h"
#include "analyzer/yaml_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "rules/catalog.h"
#include "rules/visible_devices.h"

namespace placecheck {
namespace {

constexpr std::string_view kKeys[] = {"rules",   "severity",       "overrides", "fail_on",
                                      "exclude", "devices",        "assume",    "scenarios",
                                      "flags",   "require_reason", "inherit"};
constexpr std::string_view kOverrideKeys[] = {"paths", "severity"};
constexpr std::string_view kScenarioKeys[] = {"visible", "devices", "assume"};
constexpr std::string_view kSeverities[] = {"error", "warning", "advice", "off"};

// `text`, with the word of `known` that is nearest to what was written.
template <typename Words>
std::string with_nearest(std::string text, std::string_view word, const Words& known) {
  std::vector<std::string_view> words(std::begin(known), std::end(known));
  const std::string near = nearest_word(word, words);
  return near.empty() ? text : text + "; did you mean '" + near + "'?";
}

// What a YAML scalar may be, told to the reader with the place of the one that is none of them.
template <typename Words>
std::string unknown_word(const std::string& what, std::string_view word, const Words& known) {
  return with_nearest("there is no " + what + " '" + std::string(word) + "'", word, known);
}

std::vector<std::string_view> rule_ids() {
  std::vector<std::string_view> ids;
  for (const rules::Rule& rule : rules::catalog()) ids.push_back(rule.id);
  return ids;
}

bool is_rule(std::string_view name) {
  return std::ranges::any_of(rules::catalog(),
                             [&](const rules::Rule& rule) { return rule.id == name; });
}

bool is_category(std::string_view name) {
  return std::ranges::any_of(rules::catalog(), [&](const rules::Rule& rule) {
    return rules::name(rule.category) == name;
  });
}

// Scalars that are checked where they stand.
struct RuleName {
  std::string text;  // "-id" leaves one out
};
struct FailLevel {
  std::string text;
};
struct Assumption {
  std::string text;
};
// Of a scenario: the value of CUDA_VISIBLE_DEVICES, a number of devices, a list of assumptions.
struct VisibleList {
  std::string text;
};
struct DeviceCount {
  std::string text;
};
struct AssumptionList {
  std::string text;
};

constexpr unsigned kMaxDevices = 64;
constexpr size_t kMaxScenarios = 32;  // each costs a solution of all programs

bool is_device_count(llvm::StringRef text) {
  unsigned count = 0;
  return !text.getAsInteger(10, count) && count >= 1 && count <= kMaxDevices;
}

bool are_assumptions(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 2> names;
  text.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/!text.empty());
  return llvm::all_of(names, [](llvm::StringRef each) { return is_assumption(each.trim()); });
}

template <typename Scalar>
std::vector<Scalar> scalars_of(const std::vector<std::string>& texts) {
  std::vector<Scalar> scalars;
  scalars.reserve(texts.size());
  for (const std::string& text : texts) scalars.push_back({text});
  return scalars;
}

template <typename Scalar>
std::vector<std::string> texts_of(const std::vector<Scalar>& scalars) {
  std::vector<std::string> texts;
  texts.reserve(scalars.size());
  for (const Scalar& each : scalars) texts.push_back(each.text);
  return texts;
}

}  // namespace
}  // namespace placecheck

LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(placecheck::RuleName)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(placecheck::Assumption)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(placecheck::VisibleList)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(placecheck::DeviceCount)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(placecheck::AssumptionList)
LLVM_YAML_IS_SEQUENCE_VECTOR(placecheck::Config::Override)

namespace llvm::yaml {

// The reader keeps no text: a message lives until the next one of its thread.
template <typename Scalar>
struct CheckedScalar {
  static void output(const Scalar& value, void*, raw_ostream& out) { out << value.text; }
  static QuotingType mustQuote(StringRef text) { return needsQuotes(text); }
  static StringRef keep(std::string message) {
    static thread_local std::string kept;
    kept = std::move(message);
    return kept;
  }
};

template <>
struct ScalarTraits<placecheck::RuleName> : CheckedScalar<placecheck::RuleName> {
  static StringRef input(StringRef text, void*, placecheck::RuleName& value) {
    value.text = text.str();
    if (!text.consume_front("-")) text.consume_front("+");
    if (placecheck::is_rule(text) || placecheck::is_category(text)) return "";
    return keep(placecheck::unknown_word("rule", text, placecheck::rule_ids()));
  }
};

template <>
struct ScalarTraits<placecheck::FailLevel> : CheckedScalar<placecheck::FailLevel> {
  static StringRef input(StringRef text, void*, placecheck::FailLevel& value) {
    value.text = text.str();
    if (placecheck::is_fail_level(text)) return "";
    return keep(placecheck::with_nearest("fail_on must be " + std::string(placecheck::kFailLevels),
                                         text, placecheck::kFailLevelNames));
  }
};

template <>
struct ScalarTraits<placecheck::Assumption> : CheckedScalar<placecheck::Assumption> {
  static StringRef input(StringRef text, void*, placecheck::Assumption& value) {
    value.text = text.str();
    if (placecheck::is_assumption(text)) return "";
    return keep(
        placecheck::with_nearest("assume must list " + std::string(placecheck::kAssumptionsText),
                                 text, placecheck::kAssumptions));
  }
};

template <>
struct ScalarTraits<placecheck::VisibleList> : CheckedScalar<placecheck::VisibleList> {
  static StringRef input(StringRef text, void*, placecheck::VisibleList& value) {
    value.text = text.str();
    using placecheck::rules::Verdict;
    if (placecheck::rules::visible_devices::judge(value.text) != Verdict::kBroken) return "";
    return "visible must list different numbers with commas between them, such as \"0,1\"; \"\" "
           "hides all devices";
  }
  // Without quotes a list of one would be written as a number, and none as nothing.
  static QuotingType mustQuote(StringRef) { return QuotingType::Double; }
};

template <>
struct ScalarTraits<placecheck::DeviceCount> : CheckedScalar<placecheck::DeviceCount> {
  static StringRef input(StringRef text, void*, placecheck::DeviceCount& value) {
    value.text = text.str();
    return placecheck::is_device_count(text) ? "" : "devices must be whole numbers from 1 to 64";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <>
struct ScalarTraits<placecheck::AssumptionList> : CheckedScalar<placecheck::AssumptionList> {
  static StringRef input(StringRef text, void*, placecheck::AssumptionList& value) {
    value.text = text.str();
    if (placecheck::are_assumptions(text)) return "";
    return keep("each entry of assume must be " + std::string(placecheck::kAssumptionsText) +
                ", or \"\"");
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::Double; }
};

template <>
struct MappingTraits<placecheck::Scenarios> {
  static void mapping(IO& io, placecheck::Scenarios& scenarios) {
    auto visible = placecheck::scalars_of<placecheck::VisibleList>(scenarios.visible);
    io.mapOptional("visible", visible);
    scenarios.visible = placecheck::texts_of(visible);
    std::vector<placecheck::DeviceCount> devices;
    devices.reserve(scenarios.devices.size());
    for (unsigned count : scenarios.devices) devices.push_back({std::to_string(count)});
    io.mapOptional("devices", devices);
    scenarios.devices.clear();
    for (const placecheck::DeviceCount& each : devices) {
      unsigned count = 0;
      if (!StringRef(each.text).getAsInteger(10, count)) scenarios.devices.push_back(count);
    }
    auto assume = placecheck::scalars_of<placecheck::AssumptionList>(scenarios.assume);
    io.mapOptional("assume", assume);
    scenarios.assume = placecheck::texts_of(assume);
  }

  static std::string validate(IO&, placecheck::Scenarios& scenarios) {
    const size_t count =
        scenarios.visible.size() + scenarios.devices.size() + scenarios.assume.size();
    if (count <= placecheck::kMaxScenarios) return "";
    return "there are " + std::to_string(count) + " scenarios; at most " +
           std::to_string(placecheck::kMaxScenarios) + " are checked";
  }
};

template <>
struct CustomMappingTraits<placecheck::Config::Severities> {
  static void inputOne(IO& io, StringRef rule, placecheck::Config::Severities& severities) {
    std::string value;
    io.mapRequired(rule.str().c_str(), value);
    if (!placecheck::is_rule(rule))
      io.setError(placecheck::unknown_word("rule", rule, placecheck::rule_ids()));
    else if (std::ranges::find(placecheck::kSeverities, value) == std::end(placecheck::kSeverities))
      io.setError(placecheck::unknown_word("severity", value, placecheck::kSeverities));
    severities[rule.str()] = value;
  }
  static void output(IO& io, placecheck::Config::Severities& severities) {
    for (auto& [rule, severity] : severities) io.mapRequired(rule.c_str(), severity);
  }
};

template <>
struct MappingTraits<placecheck::Config::Override> {
  static void mapping(IO& io, placecheck::Config::Override& each) {
    // Before the keys that are required: a misspelled one would be called missing.
    if (!io.outputting()) {
      for (StringRef key : io.keys()) {
        if (llvm::is_contained(placecheck::kOverrideKeys, std::string_view(key))) continue;
        io.setError("unknown key '" + key + "'");
      }
    }
    io.mapRequired("paths", each.paths);
    io.mapRequired("severity", each.severity);
  }
};

template <>
struct MappingTraits<placecheck::Config> {
  static void mapping(IO& io, placecheck::Config& config) {
    auto rules = placecheck::scalars_of<placecheck::RuleName>(config.rules);
    io.mapOptional("rules", rules);
    config.rules = placecheck::texts_of(rules);
    if (!io.outputting() || !config.severity.empty()) io.mapOptional("severity", config.severity);
    io.mapOptional("overrides", config.overrides);
    placecheck::FailLevel level{config.fail_on};
    io.mapOptional("fail_on", level, placecheck::FailLevel{});
    config.fail_on = level.text;
    io.mapOptional("exclude", config.exclude);
    io.mapOptional("devices", config.devices);
    auto assumed = placecheck::scalars_of<placecheck::Assumption>(config.assumed);
    io.mapOptional("assume", assumed);
    config.assumed = placecheck::texts_of(assumed);
    if (!io.outputting() || !config.scenarios.empty())
      io.mapOptional("scenarios", config.scenarios);
    io.mapOptional("flags", config.flags);
    io.mapOptional("require_reason", config.require_reason);
    io.mapOptional("inherit", config.inherit, false);
  }

  static std::string validate(IO&, placecheck::Config& config) {
    if (config.devices && (*config.devices < 1 || *config.devices > placecheck::kMaxDevices)) {
      return "devices must be a whole number from 1 to 64";
    }
    return "";
  }
};

}  // namespace llvm::yaml

namespace placecheck {
namespace {

bool operator==(const FailLevel& a, const FailLevel& b) { return a.text == b.text; }

std::string folder_of(const std::string& path) {
  llvm::SmallString<256> absolute(path);
  if (llvm::sys::fs::make_absolute(absolute)) return "";
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return llvm::sys::path::parent_path(absolute).str();
}

// What may stand there; the nearest key where one was misspelled.
std::string with_help(const std::string& error) {
  constexpr llvm::StringRef kUnknown = "unknown key '";
  const size_t at = error.find(kUnknown);
  if (at == std::string::npos) return error;
  const llvm::StringRef word =
      llvm::StringRef(error).substr(at + kUnknown.size()).split('\'').first;
  std::vector<std::string_view> known(std::begin(kKeys), std::end(kKeys));
  known.insert(known.end(), std::begin(kOverrideKeys), std::end(kOverrideKeys));
  known.insert(known.end(), std::begin(kScenarioKeys), std::end(kScenarioKeys));
  const std::string near = nearest_word(word, known);
  if (!near.empty()) return error + "; did you mean '" + near + "'?";
  return error + "; accepted: " + llvm::join(std::begin(kKeys), std::end(kKeys), ", ");
}

// Globs of a folder below another, as that one's.
std::vector<std::string> rebased(const std::vector<std::string>& globs, llvm::StringRef below) {
  if (below.empty()) return globs;
  std::vector<std::string> result;
  for (const std::string& glob : globs) {
    const std::string folder = below.str() + "/";
    result.push_back(folder + glob);
    // One without a folder names files at any depth.
    if (glob.find('/') == std::string::npos) result.push_back(folder + ("**/" + glob));
  }
  return result;
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
  if (!error.empty()) result.error = with_help(error);
  return result;
}

Config inherited(const Config& base, const Config& config) {
  Config both = base;
  const std::string own_folder = folder_of(config.path);
  llvm::StringRef below = own_folder;
  const std::string above = folder_of(base.path);
  if (!below.consume_front(above)) below = "";
  below.consume_front("/");
  if (!config.rules.empty()) both.rules = config.rules;
  // A base's overrides stay stronger than the file's own severities for all: both speak of paths.
  const std::vector<std::string> own_files =
      below.empty() ? std::vector<std::string>{} : std::vector{below.str() + "/**"};
  if (below.empty()) {
    for (const auto& [rule, severity] : config.severity) both.severity[rule] = severity;
  } else if (!config.severity.empty()) {
    both.overrides.push_back({own_files, config.severity});
  }
  for (const Config::Override& each : config.overrides)
    both.overrides.push_back({rebased(each.paths, below), each.severity});
  if (!config.fail_on.empty()) both.fail_on = config.fail_on;
  const std::vector<std::string> exclude = rebased(config.exclude, below);
  both.exclude.insert(both.exclude.end(), exclude.begin(), exclude.end());
  if (config.devices) both.devices = config.devices;
  if (!config.assumed.empty()) both.assumed = config.assumed;
  if (!config.scenarios.visible.empty()) both.scenarios.visible = config.scenarios.visible;
  if (!config.scenarios.devices.empty()) both.scenarios.devices = config.scenarios.devices;
  if (!config.scenarios.assume.empty()) both.scenarios.assume = config.scenarios.assume;
  both.flags.insert(both.flags.end(), config.flags.begin(), config.flags.end());
  if (config.require_reason) both.require_reason = config.require_reason;
  both.inherit = false;
  return both;
}

ConfigResult load_config(const std::string& path) {
  auto buffer = files::read_regular_file(path, files::kMaxSettings);
  if (!buffer) {
    ConfigResult result;
    result.error = "configuration file '" + path + "' cannot be read: " +
                   files::why_unreadable(buffer.getError(), files::kMaxSettings);
    return result;
  }
  ConfigResult result = parse_config((*buffer)->getBuffer().str(), path);
  if (!result.error.empty() || !result.config.inherit) return result;
  const std::string above = find_config(llvm::sys::path::parent_path(folder_of(path)).str());
  if (above.empty()) return result;
  ConfigResult base = load_config(above);
  if (base.error.empty()) base.config = inherited(base.config, result.config);
  return base;
}

void apply_config(const Config& config, Options& options) {
  if (options.rules.empty()) options.rules = config.rules;
  options.scenarios = config.scenarios;
  if (options.devices_given) options.scenarios.devices.clear();
  if (!options.assumed.empty()) options.scenarios.assume.clear();
  if (config.devices && !options.devices_given) {
    options.devices = *config.devices;
    options.devices_given = true;
  }
  if (options.assumed.empty()) options.assumed = config.assumed;
  if (options.fail_on.empty()) options.fail_on = config.fail_on;
  for (const auto& [rule, severity] : config.severity)
    options.severities.push_back({{}, rule, severity});
  for (const Config::Override& each : config.overrides) {
    for (const auto& [rule, severity] : each.severity)
      options.severities.push_back({each.paths, rule, severity});
  }
  options.exclude = config.exclude;
  options.exclude_root = folder_of(config.path);
  options.config_flags = config.flags;
  options.require_reason = config.require_reason.value_or(false);
}

std::string dump_config(const Options& options) {
  Config config;
  config.rules = options.rules;
  for (const ChosenSeverity& each : options.severities) {
    if (each.paths.empty()) {
      config.severity[each.rule] = each.severity;
    } else if (!config.overrides.empty() && config.overrides.back().paths == each.paths &&
               config.overrides.back().severity.count(each.rule) == 0) {
      config.overrides.back().severity[each.rule] = each.severity;
    } else {
      config.overrides.push_back({each.paths, {{each.rule, each.severity}}});
    }
  }
  config.fail_on = options.fail_on.empty() ? "advice" : options.fail_on;
  config.exclude = options.exclude;
  config.devices = options.devices;
  config.assumed = options.assumed;
  config.scenarios = options.scenarios;
  config.flags = options.config_flags;
  if (options.require_reason) config.require_reason = true;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::yaml::Output out(stream);
  out << config;
  return text;
}

}  // namespace placecheck
