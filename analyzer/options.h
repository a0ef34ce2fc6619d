// The command line as plain data: what the user asked for, and nothing else.
//
// Ownership: Options is a value; it holds no pointer into argv.
// Threads: parsing reads no global state, so it may run anywhere; Options is then read-only.
// Errors: parse_options never exits and never prints; it hands back sentences that name the option,
// what was wrong and what is accepted. Any error means exit code kExitIncomplete.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck {

// Exit codes; scripts depend on them.
inline constexpr int kExitClean = 0;       // all was checked, nothing found
inline constexpr int kExitFindings = 1;    // at least one finding
inline constexpr int kExitIncomplete = 2;  // something that was asked for could not be done

inline constexpr unsigned kDefaultDevices = 2;
// A file with all of libtorch takes 3 s and 500 MB.
inline constexpr unsigned kDefaultFileSeconds = 20;
inline constexpr unsigned kDefaultFileMemory = 2048;

enum class OutputFormat { kText, kJson, kSarif, kGitHub, kGitLab, kJunit, kHtml };
enum class ColorMode { kAuto, kAlways, kNever };

// What one run does. The first asking option wins in this order:
// help, version, list-rules, explain, dump-config, lsp, why, dump-ir, trace, emit-unit, check.
enum class Action {
  kCheck,
  kHelp,
  kVersion,
  kListRules,
  kExplain,
  kDumpConfig,
  kServe,
  kWhy,
  kDumpIr,
  kTrace,
  kEmitUnit,
};

enum class FixMode { kNone, kSafe, kAll };

// A severity that the configuration chose; "off" drops the findings.
struct ChosenSeverity {
  std::vector<std::string> paths;  // globs as in `exclude`; empty: all files
  std::string rule;
  std::string severity;  // error, warning, advice or off
};

// Machines that a program is checked for one by one, each for what it is named after; the rest is
// as the options say.
struct Scenarios {
  std::vector<std::string> visible;  // values of CUDA_VISIBLE_DEVICES when a program starts
  std::vector<unsigned> devices;     // as --devices
  std::vector<std::string> assume;   // each as --assume; empty: nothing

  bool empty() const { return visible.empty() && devices.empty() && assume.empty(); }
};

struct Options {
  Action action = Action::kCheck;
  std::vector<std::string> paths;           // as written; files or folders
  std::vector<std::string> compiler_flags;  // what follows "--"
  bool compiler_flags_given = false;        // "--" was there, even with nothing behind it
  std::string database_dir;                 // -p; empty: look upwards
  bool guesses_flags = true;                // --no-guess
  std::string clang_headers;                // --clang-headers; empty: the program's own
  std::string emit_unit;                    // --emit-unit: the file to write
  bool units = false;                       // --units: paths are files of --emit-unit
  OutputFormat format = OutputFormat::kText;
  std::string output;              // --output; empty: standard output
  std::vector<std::string> rules;  // --rules; see rule_enabled
  std::string explain_rule;
  std::string why_file;
  std::string trace_function;
  std::string config;     // --config; empty: .placecheck.yaml, nearest upwards
  unsigned jobs = 0;      // -j; 0: one for each core
  bool cache = true;      // --no-cache
  std::string cache_dir;  // --cache-dir; empty: the user's cache folder
  bool clear_cache = false;
  bool context = true;      // --no-context
  unsigned memory = 0;      // --memory, in MB; 0: what the machine has
  unsigned time_limit = 0;  // --time-limit, in seconds; 0: none
  unsigned file_time_limit = kDefaultFileSeconds;
  unsigned file_memory = kDefaultFileMemory;  // MB
  bool require_understanding = false;
  unsigned required_percent = 0;  // of operations whose places are known; 0: none
  std::string changed_since;      // --changed-since: a revision; empty: all findings
  FixMode fix = FixMode::kNone;
  bool fix_dry_run = false;
  std::string fail_on;  // --fail-on: error, warning, advice or never; empty: advice
  bool quiet = false;
  ColorMode color = ColorMode::kAuto;
  unsigned devices = kDefaultDevices;
  bool devices_given = false;
  std::vector<std::string> assumed;  // --assume: of kAssumptions
  bool assumes(std::string_view what) const {
    return std::find(assumed.begin(), assumed.end(), what) != assumed.end();
  }
  std::vector<std::string> models;  // --models: files
  std::string baseline;
  std::string write_baseline;
  bool update_baseline = false;
  // From the configuration file only (see config.h).
  std::vector<std::string> exclude;        // globs, relative to exclude_root
  std::string exclude_root;                // the folder of the configuration file
  std::vector<std::string> config_flags;   // appended to every compile command
  bool require_reason = false;             // of comments that suppress findings
  std::vector<ChosenSeverity> severities;  // the last that fits a finding counts
  Scenarios scenarios;
};

// What --assume takes, and how that is said.
inline constexpr char kAssumptionsText[] = "hmm and peers, separated by commas";
inline constexpr std::string_view kAssumptions[] = {"hmm", "peers"};
inline bool is_assumption(std::string_view name) {
  return std::ranges::find(kAssumptions, name) != std::end(kAssumptions);
}

// What --fail-on takes, and how that is said.
inline constexpr char kFailLevels[] = "error, warning, advice or never";
inline constexpr std::string_view kFailLevelNames[] = {"error", "warning", "advice", "never"};
inline bool is_fail_level(std::string_view name) {
  return std::ranges::find(kFailLevelNames, name) != std::end(kFailLevelNames);
}

struct ParsedOptions {
  Options options;
  std::vector<std::string> errors;  // empty: the options are good
};

// `args` is argv without the program's name.
ParsedOptions parse_options(const std::vector<std::string>& args);

// The text of --help, made from the same table that parses, and of --version. `commit` is that of
// the sources; empty: unknown.
std::string help_text();
std::string version_text(std::string_view commit = "");
std::string version_number();

// The candidate nearest to `word` by edit distance, or "" when none is near enough to be meant.
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates);

// One error for every name in --rules or --explain that is not among `known` rule ids.
std::vector<std::string> check_rule_names(const Options& options,
                                          const std::vector<std::string_view>& known);

// Whether --rules lets this rule speak: "id" keeps only the named, "-id" leaves one out, "+id" adds
// one that is not on by itself.
bool rule_enabled(const Options& options, std::string_view rule_id, bool is_on_by_itself = true);

}  // namespace placecheck
