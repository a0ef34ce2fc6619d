#include "analyzer/options.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

namespace placecheck {
namespace {

constexpr char kVersion[] = "0.1.0";
constexpr unsigned kMaxDevices = 64;  // CUDA's own limit on visible devices
constexpr unsigned kMaxJobs = 1024;
constexpr unsigned kMaxMemory = 1u << 30;
constexpr unsigned kMaxSeconds = 10'000'000;

// Takes an option's value into Options; returns what is accepted when the value is not good.
using Apply = std::string (*)(Options& options, const std::string& value);

struct OptionRow {
  std::string_view name;   // with its dashes
  std::string_view value;  // how --help calls the value; empty: a switch
  bool optional;           // the value may be left out
  Apply apply;
  std::string_view help;
};

std::string set_number(const std::string& value, unsigned low, unsigned high, unsigned& out) {
  unsigned number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end || number < low || number > high) {
    return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  }
  out = number;
  return "";
}

std::string set_text(std::string& out, const std::string& value, const char* accepted) {
  if (value.empty()) return accepted;
  out = value;
  return "";
}

// The first asking option wins, in the order of the declaration in options.h.
void ask(Options& options, Action action) {
  static constexpr Action kOrder[] = {Action::kHelp,     Action::kVersion,    Action::kListRules,
                                      Action::kExplain,  Action::kDumpConfig, Action::kServe,
                                      Action::kWhy,      Action::kDumpIr,     Action::kTrace,
                                      Action::kEmitUnit, Action::kCheck};
  const auto rank = [](Action a) { return std::find(std::begin(kOrder), std::end(kOrder), a); };
  if (rank(action) < rank(options.action)) options.action = action;
}

std::string add_models_file(Options& options, const std::string& value) {
  if (value.empty()) return "a file name";
  options.models.push_back(value);
  return "";
}

std::string set_format(Options& options, const std::string& value) {
  if (value == "text")
    options.format = OutputFormat::kText;
  else if (value == "json")
    options.format = OutputFormat::kJson;
  else if (value == "sarif")
    options.format = OutputFormat::kSarif;
  else if (value == "github")
    options.format = OutputFormat::kGitHub;
  else if (value == "gitlab")
    options.format = OutputFormat::kGitLab;
  else if (value == "junit")
    options.format = OutputFormat::kJunit;
  else if (value == "html")
    options.format = OutputFormat::kHtml;
  else
    return "text, json, sarif, github, gitlab, junit or html";
  return "";
}

std::string set_color(Options& options, const std::string& value) {
  if (value == "auto")
    options.color = ColorMode::kAuto;
  else if (value == "always" || value.empty())
    options.color = ColorMode::kAlways;
  else if (value == "never")
    options.color = ColorMode::kNever;
  else
    return "auto, always or never";
  return "";
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::string add_rules(Options& options, const std::string& value) {
  for (size_t begin = 0; begin <= value.size();) {
    const size_t comma = std::min(value.find(',', begin), value.size());
    const std::string name = trimmed(std::string_view(value).substr(begin, comma - begin));
    if (name.empty() || name == "-" || name == "+")
      return "rule ids separated by commas; -id leaves one out, +id adds one that is off";
    options.rules.push_back(name);
    begin = comma + 1;
  }
  return "";
}

std::string set_understanding(Options& options, const std::string& value) {
  options.require_understanding = true;
  return value.empty() ? "" : set_number(value, 1, 100, options.required_percent);
}

std::string set_fix(Options& options, const std::string& value) {
  if (!value.empty() && value != "all" && value != "safe") return "safe or all";
  options.fix = value == "all" ? FixMode::kAll : FixMode::kSafe;
  return "";
}

std::string set_fail_on(Options& options, const std::string& value) {
  if (!is_fail_level(value)) return kFailLevels;
  options.fail_on = value;
  return "";
}

std::string set_devices(Options& options, const std::string& value) {
  options.devices_given = true;
  return set_number(value, 1, kMaxDevices, options.devices);
}

std::string add_assumptions(Options& options, const std::string& value) {
  for (size_t begin = 0; begin <= value.size();) {
    const size_t comma = std::min(value.find(',', begin), value.size());
    const std::string name = trimmed(std::string_view(value).substr(begin, comma - begin));
    if (!is_assumption(name)) return kAssumptionsText;
    options.assumed.push_back(name);
    begin = comma + 1;
  }
  return "";
}

// The one list of options: parsing, --help and suggestions all read it.
constexpr OptionRow kOptions[] = {
    {"-p", "DIR", false,
     [](Options& o, const std::string& v) { return set_text(o.database_dir, v, "a folder"); },
     "folder of compile_commands.json (default: looked for upwards, else flags are guessed)"},
    {"--no-guess", "", false,
     [](Options& o, const std::string&) { return o.guesses_flags = false, std::string(); },
     "the given flags stand alone: guess no include folder, look for no libtorch or CUDA"},
    {"--clang-headers", "DIR", false,
     [](Options& o, const std::string& v) { return set_text(o.clang_headers, v, "a folder"); },
     "folder of Clang's own headers, below 'include' (default: those installed with this program)"},
    {"--emit-unit", "FILE", false,
     [](Options& o, const std::string& v) {
       ask(o, Action::kEmitUnit);
       return set_text(o.emit_unit, v, "a file name");
     },
     "for build systems: write what the files of PATH were lowered to into FILE, and check "
     "nothing"},
    {"--units", "", false,
     [](Options& o, const std::string&) { return o.units = true, std::string(); },
     "PATH are files of --emit-unit, or @FILE with a list of them; report on what they hold"},
    {"--format", "FORMAT", false, set_format,
     "text (default), json, sarif, github, gitlab, junit or html"},
    {"--output", "FILE", false,
     [](Options& o, const std::string& v) { return set_text(o.output, v, "a file name"); },
     "write the report to FILE instead of standard output"},
    {"--rules", "LIST", false, add_rules,
     "only these rules, separated by commas; -id leaves one out, +id adds one that is off"},
    {"--list-rules", "", false,
     [](Options& o, const std::string&) { return ask(o, Action::kListRules), std::string(); },
     "list all rules and stop"},
    {"--explain", "RULE", false,
     [](Options& o, const std::string& v) {
       ask(o, Action::kExplain);
       return set_text(o.explain_rule, v, "a rule id; see --list-rules");
     },
     "explain one rule, with examples, or 'assumptions', and stop"},
    {"--why", "FILE", false,
     [](Options& o, const std::string& v) {
       ask(o, Action::kWhy);
       return set_text(o.why_file, v, "a source file");
     },
     "say with which flags FILE was read and what of it did not parse, and stop"},
    {"--dump-ir", "", false,
     [](Options& o, const std::string&) { return ask(o, Action::kDumpIr), std::string(); },
     "print what the files were lowered to, instead of checking"},
    {"--trace", "FUNCTION", false,
     [](Options& o, const std::string& v) {
       ask(o, Action::kTrace);
       return set_text(o.trace_function, v, "the name of a function");
     },
     "print one function's facts at each program point"},
    {"--config", "FILE", false,
     [](Options& o, const std::string& v) { return set_text(o.config, v, "a file name"); },
     "configuration file (default: .placecheck.yaml, nearest upwards)"},
    {"--dump-config", "", false,
     [](Options& o, const std::string&) { return ask(o, Action::kDumpConfig), std::string(); },
     "print the settings that hold here, in the form of the configuration file, and stop"},
    {"--lsp", "", false,
     [](Options& o, const std::string&) { return ask(o, Action::kServe), std::string(); },
     "serve an editor on standard input and output, by the Language Server Protocol"},
    {"-j", "N", false,
     [](Options& o, const std::string& v) { return set_number(v, 1, kMaxJobs, o.jobs); },
     "files read at the same time (default: one for each core)"},
    {"--memory", "MB", false,
     [](Options& o, const std::string& v) { return set_number(v, 1, kMaxMemory, o.memory); },
     "files wait for others rather than use more memory (default: most of the machine's)"},
    {"--file-memory", "MB", false,
     [](Options& o, const std::string& v) { return set_number(v, 0, kMaxMemory, o.file_memory); },
     "what parsing one file may take; beyond it that file is given up (default: 2048; 0: no "
     "limit)"},
    {"--file-time-limit", "SECONDS", false,
     [](Options& o, const std::string& v) {
       return set_number(v, 0, kMaxSeconds, o.file_time_limit);
     },
     "the same of processor time (default: 20; 0: no limit)"},
    {"--time-limit", "SECONDS", false,
     [](Options& o, const std::string& v) { return set_number(v, 1, kMaxSeconds, o.time_limit); },
     "stop the whole run after that time and report what is known (default: none)"},
    {"--require-understanding", "PERCENT", true, set_understanding,
     "exit with 2 if a file was understood only in part, or a program is too large; with PERCENT, "
     "only if places are known at fewer operations"},
    {"--fail-on", "LEVEL", false, set_fail_on,
     "advice (default), warning, error or never; findings below that level do not fail the run"},
    {"--changed-since", "REV", false,
     [](Options& o, const std::string& v) {
       const bool is_option = v.starts_with("-");
       return set_text(o.changed_since, is_option ? "" : v, "a commit of git");
     },
     "only findings on lines changed since that commit of git, or caused by a change since"},
    {"--fix", "SCOPE", true, set_fix,
     "mend what can be mended in place: safe (default) or all; exit as for what is left"},
    {"--fix-dry-run", "", false,
     [](Options& o, const std::string&) { return o.fix_dry_run = true, std::string(); },
     "print what --fix would change as a unified diff, and change nothing"},
    {"--no-cache", "", false,
     [](Options& o, const std::string&) { return o.cache = false, std::string(); },
     "neither use nor keep anything of other runs"},
    {"--cache-dir", "DIR", false,
     [](Options& o, const std::string& v) { return set_text(o.cache_dir, v, "a folder"); },
     "folder for what is kept between runs (default: placecheck in the user's cache folder)"},
    {"--clear-cache", "", false,
     [](Options& o, const std::string&) { return o.clear_cache = true, std::string(); },
     "forget other runs first; without a PATH that is all"},
    {"--no-context", "", false,
     [](Options& o, const std::string&) { return o.context = false, std::string(); },
     "look at nothing but PATH: not at the files of its project that call or implement it"},
    {"--quiet", "", false,
     [](Options& o, const std::string&) { return o.quiet = true, std::string(); },
     "findings only: no progress, notes on files or summary"},
    {"--color", "WHEN", true, set_color, "auto (default), always or never"},
    {"--devices", "N", false, set_devices, "number of GPUs there are (default: at least 2)"},
    {"--assume", "LIST", false, add_assumptions,
     "what the GPUs share beyond what the code enables: hmm (kernels reach all host memory), peers "
     "(each other's memory); default: neither"},
    {"--models", "FILE", false, add_models_file,
     "what the calls of your own libraries mean; may be given several times"},
    {"--baseline", "FILE", false,
     [](Options& o, const std::string& v) { return set_text(o.baseline, v, "a file name"); },
     "leave out the findings recorded in FILE"},
    {"--write-baseline", "FILE", false,
     [](Options& o, const std::string& v) { return set_text(o.write_baseline, v, "a file name"); },
     "record all present findings in FILE"},
    {"--update-baseline", "", false,
     [](Options& o, const std::string&) { return o.update_baseline = true, std::string(); },
     "remove from the file of --baseline what is no longer found"},
    {"--help", "", false,
     [](Options& o, const std::string&) { return ask(o, Action::kHelp), std::string(); },
     "print this text and stop"},
    {"--version", "", false,
     [](Options& o, const std::string&) { return ask(o, Action::kVersion), std::string(); },
     "print the version and stop"},
};

const OptionRow* find_row(std::string_view name) {
  if (name == "-h") name = "--help";
  for (const OptionRow& row : kOptions) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

bool is_short(const OptionRow& row) { return row.name.size() == 2; }

std::string spelled(const OptionRow& row) {
  std::string text(row.name);
  if (row.value.empty()) return text;
  const std::string value = (is_short(row) ? " " : "=") + std::string(row.value);
  return text + (row.optional ? "[" + value + "]" : value);
}

std::string unknown_option(const std::string& name) {
  std::vector<std::string_view> names;
  for (const OptionRow& row : kOptions) names.push_back(row.name);
  const std::string near = nearest_word(name, names);
  return "unknown option '" + name + "'; " +
         (near.empty() ? "see --help for all options" : "did you mean '" + near + "'?");
}

// One argument taken apart: the option's row and the value written with it, if any.
struct Split {
  const OptionRow* row = nullptr;
  std::string name;
  std::optional<std::string> value;
};

Split split_option(const std::string& arg) {
  const size_t equals = arg.find('=');
  Split split{find_row(arg.substr(0, equals)), arg.substr(0, equals), std::nullopt};
  if (equals != std::string::npos) split.value = arg.substr(equals + 1);
  if (split.row || arg.starts_with("--")) return split;
  // Short options take their value at once: -j8, -pbuild.
  const OptionRow* row = find_row(arg.substr(0, 2));
  if (row && !row->value.empty()) return {row, arg.substr(0, 2), arg.substr(2)};
  return split;
}

// Reads one option at args[index]; a value in the next argument moves index on.
std::string parse_one(const std::vector<std::string>& args, size_t& index, Options& options) {
  Split split = split_option(args[index]);
  if (!split.row) return unknown_option(split.name);
  const OptionRow& row = *split.row;
  if (row.value.empty()) {
    if (split.value)
      return "option '" + split.name + "' takes no value, got '" + *split.value + "'";
    return row.apply(options, "");
  }
  if (!split.value && !row.optional) {
    if (index + 1 >= args.size() || args[index + 1] == "--") {
      return "option '" + split.name + "' needs a value: " + spelled(row);
    }
    split.value = args[++index];
  }
  const std::string value = split.value.value_or("");
  const std::string accepted = row.apply(options, value);
  if (accepted.empty()) return "";
  return "option '" + split.name + "' cannot be '" + value + "'; accepted: " + accepted;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string unknown_rule(const std::string& option, const std::string& name,
                         const std::vector<std::string_view>& known) {
  const std::string near = nearest_word(name, known);
  return "option '" + option + "': there is no rule '" + name + "'; " +
         (near.empty() ? "see --list-rules" : "did you mean '" + near + "'?");
}

// An editor names the files, and is shown what is found.
std::vector<std::string> errors_of_server(const Options& options) {
  std::vector<std::string> errors;
  if (!options.paths.empty())
    errors.push_back("option '--lsp' takes no file or folder, got '" + options.paths[0] + "'");
  const std::pair<bool, const char*> others[] = {
      {!options.output.empty(), "--output"},
      {options.format != OutputFormat::kText, "--format"},
      {options.fix != FixMode::kNone, "--fix"},
      {options.fix_dry_run, "--fix-dry-run"},
      {!options.changed_since.empty(), "--changed-since"},
      {!options.write_baseline.empty(), "--write-baseline"},
      {options.update_baseline, "--update-baseline"},
  };
  for (const auto& [is_given, name] : others) {
    if (is_given)
      errors.push_back("option '" + std::string(name) + "' cannot be used with '--lsp'");
  }
  return errors;
}

std::string without_sign(const std::string& name) {
  return name.starts_with("-") || name.starts_with("+") ? name.substr(1) : name;
}

// What --units leaves no use for.
std::vector<std::string> check_units(const Options& options) {
  struct Refusal {
    const char* option;
    bool is_given;
    const char* reason;
  };
  const Refusal refusals[] = {
      {"--emit-unit", !options.emit_unit.empty(), "which writes what this reads"},
      {"-p", !options.database_dir.empty(), "for nothing is parsed"},
      {"--", options.compiler_flags_given, "for nothing is parsed"},
      {"--changed-since", !options.changed_since.empty(), "for nothing is lowered again"},
      {"--fix", options.fix != FixMode::kNone || options.fix_dry_run,
       "for the sources may not be what was lowered"},
  };
  std::vector<std::string> errors;
  for (const Refusal& each : refusals) {
    if (options.units && each.is_given)
      errors.push_back("option '--units' cannot be used with '" + std::string(each.option) + "', " +
                       each.reason);
  }
  return errors;
}

}  // namespace

ParsedOptions parse_options(const std::vector<std::string>& args) {
  ParsedOptions parsed;
  for (size_t index = 0; index < args.size(); ++index) {
    const std::string& arg = args[index];
    if (arg == "--") {
      parsed.options.compiler_flags_given = true;
      parsed.options.compiler_flags.assign(args.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                                           args.end());
      break;
    }
    if (arg.empty()) {
      parsed.errors.push_back("an empty path was given; accepted: a file or a folder");
    } else if (arg[0] != '-') {
      parsed.options.paths.push_back(arg);
    } else if (std::string error = parse_one(args, index, parsed.options); !error.empty()) {
      parsed.errors.push_back(std::move(error));
    }
  }
  if (parsed.options.update_baseline && parsed.options.baseline.empty()) {
    parsed.errors.push_back("option '--update-baseline' needs --baseline=FILE, which it updates");
  }
  for (std::string& error : check_units(parsed.options)) parsed.errors.push_back(std::move(error));
  const Action action = parsed.options.action;
  if (action == Action::kServe) {
    for (std::string& error : errors_of_server(parsed.options))
      parsed.errors.push_back(std::move(error));
  }
  const bool reads_files = action == Action::kCheck || action == Action::kDumpIr ||
                           action == Action::kTrace || action == Action::kEmitUnit;
  if (reads_files && parsed.options.paths.empty() && !parsed.options.clear_cache &&
      parsed.errors.empty()) {
    parsed.errors.push_back(
        "no file or folder to check was given; usage: placecheck [options] PATH...");
  }
  return parsed;
}

std::string help_text() {
  std::string text =
      "placecheck: finds values on the wrong device in libtorch and CUDA programs\n\n"
      "usage: placecheck [options] PATH... [-- COMPILER-FLAGS...]\n\n"
      "PATH is a source file, or a folder that is searched for sources.\n\noptions:\n";
  size_t width = 0;
  for (const OptionRow& row : kOptions) width = std::max(width, spelled(row).size());
  for (const OptionRow& row : kOptions) {
    std::string left = spelled(row);
    left.resize(width, ' ');
    text += "  " + left + "  " + std::string(row.help) + "\n";
  }
  return text +
         "\nexit code: 0 nothing found, 1 findings,\n"
         "           2 something that was asked for could not be done\n";
}

std::string version_text(std::string_view commit) {
  std::string text = std::string("placecheck ") + kVersion;
  if (!commit.empty()) text.append(" (commit ").append(commit).append(")");
  return text + "\n";
}

std::string version_number() { return kVersion; }

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  size_t best_distance = word.size() / 3 + 2;  // farther than this, the guess would confuse
  for (std::string_view candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    // A short name would be near to anything: some of it must really have been written.
    if (distance < best_distance && distance < candidate.size() / 2) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

std::vector<std::string> check_rule_names(const Options& options,
                                          const std::vector<std::string_view>& known) {
  const auto is_known = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  std::vector<std::string> errors;
  for (const std::string& rule : options.rules) {
    const std::string name = without_sign(rule);
    if (!is_known(name)) errors.push_back(unknown_rule("--rules", name, known));
  }
  bool is_page = is_known(options.explain_rule) || options.explain_rule == "assumptions";
  if (options.action == Action::kExplain && !is_page) {
    errors.push_back(unknown_rule("--explain", options.explain_rule, known));
  }
  return errors;
}

bool rule_enabled(const Options& options, std::string_view rule_id, bool is_on_by_itself) {
  bool are_others_named = false;
  bool named = false;
  for (const std::string& rule : options.rules) {
    const bool is_it = without_sign(rule) == rule_id;
    if (is_it && rule.starts_with("-")) return false;
    named |= is_it;
    are_others_named |= !rule.starts_with("-") && !rule.starts_with("+");
  }
  return named || (is_on_by_itself && !are_others_named);
}

}  // namespace placecheck
