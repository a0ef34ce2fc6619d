#include "analyzer/options.h"

#include <gtest/gtest.h>

namespace placecheck {
namespace {

using Words = std::vector<std::string>;

Options good(const Words& args) {
  ParsedOptions parsed = parse_options(args);
  EXPECT_TRUE(parsed.errors.empty()) << parsed.errors.front();
  return parsed.options;
}

std::string only_error(const Words& args) {
  const ParsedOptions parsed = parse_options(args);
  EXPECT_EQ(parsed.errors.size(), 1u);
  return parsed.errors.empty() ? "" : parsed.errors.front();
}

TEST(Options, PathsAloneGiveTheDefaults) {
  const Options options = good({"src", "a.cc"});
  EXPECT_EQ(options.paths, (Words{"src", "a.cc"}));
  EXPECT_EQ(options.action, Action::kCheck);
  EXPECT_EQ(options.format, OutputFormat::kText);
  EXPECT_EQ(options.color, ColorMode::kAuto);
  EXPECT_EQ(options.devices, kDefaultDevices);
  EXPECT_EQ(options.jobs, 0u);
  EXPECT_FALSE(options.compiler_flags_given);
}

TEST(Options, TheCachesAreOnUnlessOneSaysOtherwise) {
  EXPECT_TRUE(good({"a.cc"}).cache);
  EXPECT_EQ(good({"a.cc"}).memory, 0u);
  EXPECT_FALSE(good({"--no-cache", "a.cc"}).cache);
  const Options options = good({"--cache-dir=kept", "--memory=2000", "a.cc"});
  EXPECT_EQ(options.cache_dir, "kept");
  EXPECT_EQ(options.memory, 2000u);
  EXPECT_FALSE(options.clear_cache);
  // To clear is something to do by itself.
  EXPECT_TRUE(good({"--clear-cache"}).clear_cache);
}

TEST(Options, EveryValueIsTaken) {
  const Options options =
      good({"-p", "build", "--format=sarif", "--output=r.sarif", "--rules=a,-b", "--config=c.yaml",
            "-j", "4", "--quiet", "--color=never", "--devices=8", "--assume=hmm, peers",
            "--baseline=old", "--write-baseline=new", "src", "--", "-DX", "-Iinclude"});
  EXPECT_EQ(options.database_dir, "build");
  EXPECT_EQ(options.format, OutputFormat::kSarif);
  EXPECT_EQ(options.output, "r.sarif");
  EXPECT_EQ(options.rules, (Words{"a", "-b"}));
  EXPECT_EQ(options.config, "c.yaml");
  EXPECT_EQ(options.jobs, 4u);
  EXPECT_TRUE(options.quiet);
  EXPECT_EQ(options.color, ColorMode::kNever);
  EXPECT_EQ(options.devices, 8u);
  EXPECT_TRUE(options.assumes("hmm") && options.assumes("peers"));
  EXPECT_EQ(options.baseline, "old");
  EXPECT_EQ(options.write_baseline, "new");
  EXPECT_EQ(options.compiler_flags, (Words{"-DX", "-Iinclude"}));
}

TEST(Options, ValuesMayStandBesideOrInside) {
  EXPECT_EQ(good({"--format", "json", "x"}).format, OutputFormat::kJson);
  EXPECT_EQ(good({"-j8", "x"}).jobs, 8u);
  EXPECT_EQ(good({"-pbuild", "x"}).database_dir, "build");
  EXPECT_EQ(good({"-j=8", "x"}).jobs, 8u);
}

TEST(Options, OptionsAfterTheDashesBelongToTheCompiler) {
  const Options options = good({"x.cc", "--", "--help"});
  EXPECT_EQ(options.action, Action::kCheck);
  EXPECT_EQ(options.compiler_flags, (Words{"--help"}));
  EXPECT_TRUE(good({"x.cc", "--"}).compiler_flags_given);
}

TEST(Options, ColorWithoutAValueMeansAlways) {
  const Options options = good({"--color", "src"});
  EXPECT_EQ(options.color, ColorMode::kAlways);
  EXPECT_EQ(options.paths, (Words{"src"}));
}

TEST(Options, ActionsThatReadNoFileNeedNoPath) {
  EXPECT_EQ(good({"--help"}).action, Action::kHelp);
  EXPECT_EQ(good({"-h"}).action, Action::kHelp);
  EXPECT_EQ(good({"--version"}).action, Action::kVersion);
  EXPECT_EQ(good({"--list-rules"}).action, Action::kListRules);
  EXPECT_EQ(good({"--explain=a"}).explain_rule, "a");
  EXPECT_EQ(good({"--why=a.cc"}).action, Action::kWhy);
  EXPECT_EQ(good({"--why", "a.cc"}).why_file, "a.cc");
  EXPECT_EQ(good({"--trace=f", "x.cc", "--help"}).action, Action::kHelp);
  EXPECT_EQ(good({"--trace=f", "x.cc"}).trace_function, "f");
  EXPECT_EQ(good({"--dump-ir", "x.cc"}).action, Action::kDumpIr);
}

TEST(Options, ErrorsNameTheOptionTheValueAndWhatIsAccepted) {
  EXPECT_EQ(only_error({"--format=xml", "x"}),
            "option '--format' cannot be 'xml'; accepted: text, json, sarif, github, gitlab, junit "
            "or html");
  EXPECT_EQ(only_error({"--devices=0", "x"}),
            "option '--devices' cannot be '0'; accepted: a whole number from 1 to 64");
  EXPECT_EQ(only_error({"--assume=magic", "x"}),
            "option '--assume' cannot be 'magic'; accepted: hmm and peers, separated by commas");
  EXPECT_EQ(only_error({"-j", "many", "x"}),
            "option '-j' cannot be 'many'; accepted: a whole number from 1 to 1024");
  EXPECT_EQ(
      only_error({"-j99999999999999999999", "x"}),
      "option '-j' cannot be '99999999999999999999'; accepted: a whole number from 1 to 1024");
  EXPECT_EQ(only_error({"--quiet=yes", "x"}), "option '--quiet' takes no value, got 'yes'");
  EXPECT_EQ(only_error({"x", "--output"}), "option '--output' needs a value: --output=FILE");
  EXPECT_EQ(only_error({"x", "-p", "--", "-DX"}), "option '-p' needs a value: -p DIR");
  EXPECT_EQ(only_error({"--rules=a,,b", "x"}),
            "option '--rules' cannot be 'a,,b'; accepted: rule ids separated by commas; "
            "-id leaves one out, +id adds one that is off");
  EXPECT_EQ(only_error({""}), "an empty path was given; accepted: a file or a folder");
}

TEST(Options, UnitsAreWrittenOrRead) {
  const Options emits = good({"--emit-unit=a.unit", "--no-guess", "--clang-headers=h", "a.cc"});
  EXPECT_EQ(emits.action, Action::kEmitUnit);
  EXPECT_EQ(emits.emit_unit, "a.unit");
  EXPECT_FALSE(emits.guesses_flags);
  EXPECT_EQ(emits.clang_headers, "h");
  EXPECT_TRUE(good({"--units", "a.unit"}).units);
  EXPECT_EQ(only_error({"--units", "--fix", "a.unit"}),
            "option '--units' cannot be used with '--fix', for the sources may not be what was "
            "lowered");
  EXPECT_EQ(only_error({"--units", "a.unit", "--", "-DX"}),
            "option '--units' cannot be used with '--', for nothing is parsed");
  EXPECT_EQ(only_error({"--units", "--emit-unit=b", "a.unit"}),
            "option '--units' cannot be used with '--emit-unit', which writes what this reads");
}

TEST(Options, UnknownOptionsGetTheNearestSuggestion) {
  EXPECT_EQ(only_error({"--formt=json", "x"}),
            "unknown option '--formt'; did you mean '--format'?");
  EXPECT_EQ(only_error({"--device=3", "x"}),
            "unknown option '--device'; did you mean '--devices'?");
  EXPECT_EQ(only_error({"--zzzzzzzzzz", "x"}),
            "unknown option '--zzzzzzzzzz'; see --help for all options");
  EXPECT_EQ(only_error({"-x", "x"}), "unknown option '-x'; see --help for all options");
}

TEST(Options, NoPathIsAnError) {
  EXPECT_EQ(only_error({}),
            "no file or folder to check was given; usage: placecheck [options] PATH...");
}

TEST(Options, AllErrorsAreSaidAtOnce) {
  EXPECT_EQ(parse_options({"--bogus", "--devices=x", "src"}).errors.size(), 2u);
}

TEST(Options, HelpNamesEveryOptionOfTheDesign) {
  const std::string help = help_text();
  for (const char* name :
       {"-p DIR",     "--format=",   "--output=",         "--rules=",  "--list-rules",
        "--explain=", "--why=",      "--models=",         "--dump-ir", "--trace=",
        "--config=",  "-j N",        "--quiet",           "--color",   "--devices=",
        "--assume=",  "--baseline=", "--write-baseline=", "--help",    "--version"}) {
    EXPECT_NE(help.find(name), std::string::npos) << name;
  }
}

TEST(Options, RuleNamesAreCheckedAgainstTheCatalogue) {
  const std::vector<std::string_view> known = {"device-mismatch", "discarded-transfer"};
  EXPECT_TRUE(check_rule_names(good({"--rules=device-mismatch", "x"}), known).empty());
  EXPECT_EQ(check_rule_names(good({"--rules=-device-mismach", "x"}), known),
            (Words{"option '--rules': there is no rule 'device-mismach'; "
                   "did you mean 'device-mismatch'?"}));
  EXPECT_EQ(check_rule_names(good({"--explain=qqqq"}), known),
            (Words{"option '--explain': there is no rule 'qqqq'; see --list-rules"}));
  EXPECT_EQ(check_rule_names(good({"--explain=assumptions"}), known), Words());
}

TEST(Options, RulesAreNamedOrLeftOut) {
  const Options all = good({"x"});
  EXPECT_TRUE(rule_enabled(all, "a"));
  const Options some = good({"--rules=a,b", "x"});
  EXPECT_TRUE(rule_enabled(some, "a"));
  EXPECT_FALSE(rule_enabled(some, "c"));
  const Options without = good({"--rules=-a", "x"});
  EXPECT_FALSE(rule_enabled(without, "a"));
  EXPECT_TRUE(rule_enabled(without, "b"));
  EXPECT_FALSE(rule_enabled(all, "d", /*is_on_by_itself=*/false));
  const Options added = good({"--rules=+d,-a", "x"});
  EXPECT_TRUE(rule_enabled(added, "d", /*is_on_by_itself=*/false));
  EXPECT_TRUE(rule_enabled(added, "b"));
  EXPECT_FALSE(rule_enabled(added, "a"));
}

TEST(Options, AGateIsAskedFor) {
  const Options options = parse_options({"--fix", "--fail-on=error", "--changed-since", "main",
                                         "--require-understanding=80", "x"})
                              .options;
  EXPECT_EQ(options.fix, FixMode::kSafe);
  EXPECT_EQ(options.fail_on, "error");
  EXPECT_EQ(options.changed_since, "main");
  EXPECT_TRUE(options.require_understanding);
  EXPECT_EQ(options.required_percent, 80u);
  EXPECT_EQ(parse_options({"--fix=all", "x"}).options.fix, FixMode::kAll);
  // A revision that git would take for an option.
  EXPECT_FALSE(parse_options({"--changed-since=--output=x", "x"}).errors.empty());
  EXPECT_FALSE(parse_options({"--update-baseline", "x"}).errors.empty());
  EXPECT_FALSE(parse_options({"--fix=most", "x"}).errors.empty());
}

}  // namespace
}  // namespace placecheck
