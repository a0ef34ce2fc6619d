#include "analyzer/config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace placecheck {
namespace {

using Words = std::vector<std::string>;

std::string error_of(const std::string& text) { return parse_config(text, "c.yaml").error; }

TEST(Config, AllKeysAreRead) {
  const ConfigResult result = parse_config(
      "# comment\nrules: [device-mismatch, -unregistered-state, +unchecked-launch]\n"
      "severity: {missing-map-location: error}\nfail_on: warning\n"
      "overrides:\n  - paths: [tests/**]\n    severity: {device-mismatch: \"off\"}\n"
      "exclude:\n  - third_party/**\ndevices: 4\nassume: [hmm, peers]\nflags: [-DX, -Iinclude]\n"
      "require_reason: true\n",
      "c.yaml");
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.config.rules,
            (Words{"device-mismatch", "-unregistered-state", "+unchecked-launch"}));
  EXPECT_EQ(result.config.severity, (Config::Severities{{"missing-map-location", "error"}}));
  EXPECT_EQ(result.config.fail_on, "warning");
  ASSERT_EQ(result.config.overrides.size(), 1u);
  EXPECT_EQ(result.config.overrides[0].paths, (Words{"tests/**"}));
  EXPECT_EQ(result.config.overrides[0].severity, (Config::Severities{{"device-mismatch", "off"}}));
  EXPECT_EQ(result.config.exclude, (Words{"third_party/**"}));
  EXPECT_EQ(result.config.devices, 4u);
  EXPECT_EQ(result.config.assumed, (Words{"hmm", "peers"}));
  EXPECT_EQ(result.config.flags, (Words{"-DX", "-Iinclude"}));
  EXPECT_EQ(result.config.require_reason, true);
}

TEST(Config, AnEmptyFileSaysNothing) {
  EXPECT_EQ(error_of(""), "");
  EXPECT_EQ(error_of("# only a comment\n\n"), "");
}

TEST(Config, ErrorsNameFileAndLine) {
  EXPECT_EQ(error_of("rules: []\nrulez: []\n").rfind("c.yaml:2: unknown key 'rulez'", 0), 0u)
      << error_of("rules: []\nrulez: []\n");
  EXPECT_EQ(error_of("rules: []\ndevices: many\n").rfind("c.yaml:2: ", 0), 0u)
      << error_of("rules: []\ndevices: many\n");
  EXPECT_NE(error_of("devices: 0\n").find("devices must be a whole number from 1 to 64"),
            std::string::npos);
  EXPECT_NE(error_of("assume: [magic]\n").find("assume must list hmm and peers"),
            std::string::npos);
  EXPECT_EQ(error_of("rules: [a\nexclude: ]\n").rfind("c.yaml:", 0), 0u);
  EXPECT_NE(error_of("just text\n"), "");
  EXPECT_NE(error_of("&x *x"), "");
  EXPECT_NE(error_of("{"), "");
  // A key of which LLVM does not say where it stands.
  EXPECT_EQ(error_of("?\r%\r -").rfind("c.yaml: ", 0), 0u) << error_of("?\r%\r -");
  EXPECT_EQ(error_of("\xff\xfe").rfind("c.yaml: not a text file in UTF-8", 0), 0u);
  EXPECT_NE(error_of(std::string("a\0b: [", 6)), "");
}

TEST(Config, ErrorsNameTheNearestValidWord) {
  EXPECT_EQ(error_of("devices: 2\nfail_om: error\n"),
            "c.yaml:2: unknown key 'fail_om'; did you mean 'fail_on'?");
  EXPECT_EQ(error_of("rules:\n  - device-mismatch\n  - -device-mismach\n"),
            "c.yaml:3: there is no rule 'device-mismach'; did you mean 'device-mismatch'?");
  EXPECT_EQ(error_of("severity:\n  nccl-usage: warming\n"),
            "c.yaml:2: there is no severity 'warming'; did you mean 'warning'?");
  EXPECT_EQ(error_of("\nfail_on: sometimes\n"),
            "c.yaml:2: fail_on must be error, warning, advice or never");
  EXPECT_EQ(error_of("fail_on: eror\n"),
            "c.yaml:1: fail_on must be error, warning, advice or never; did you mean 'error'?");
  EXPECT_EQ(error_of("assume: [pers]\n"),
            "c.yaml:1: assume must list hmm and peers, separated by commas; did you mean 'peers'?");
  EXPECT_EQ(error_of("overrides:\n  - path: [a]\n    severity: {}\n"),
            "c.yaml:2: unknown key 'path'; did you mean 'paths'?");
  EXPECT_EQ(error_of("overrides:\n  - paths: [a]\n"), "c.yaml:2: missing required key 'severity'");
}

TEST(Config, ErrorsSayWhatShouldStandThere) {
  EXPECT_EQ(error_of("require_reason: yess\n"), "c.yaml:1: expected true or false");
  EXPECT_EQ(error_of("rules: []\ndevices: many\n"), "c.yaml:2: expected a whole number");
  EXPECT_EQ(error_of("\nexclude: build\n"), "c.yaml:2: expected a list, as in '[one, two]'");
  EXPECT_EQ(error_of("severity: error\n"),
            "c.yaml:1: expected keys with values, as in 'key: value'");
  EXPECT_EQ(error_of("- a\n"), "c.yaml:1: expected keys with values, as in 'key: value'");
  EXPECT_EQ(error_of("fail_on: [error]\n"), "c.yaml:1: expected a single value");
}

TEST(Config, AFileGoesOverTheOneThatItInheritsFrom) {
  const Config base = parse_config(
                          "rules: [device-mismatch]\nexclude: [build]\ndevices: 4\nfail_on: error\n"
                          "require_reason: true\n",
                          "/p/c.yaml")
                          .config;
  const Config own = parse_config(
                         "inherit: true\nexclude: [gen, a/b.cc]\nfail_on: never\n"
                         "severity: {nccl-usage: advice}\nrequire_reason: false\n",
                         "/p/sub/c.yaml")
                         .config;
  const Config both = inherited(base, own);
  EXPECT_EQ(both.rules, (Words{"device-mismatch"}));
  EXPECT_EQ(both.exclude, (Words{"build", "sub/gen", "sub/**/gen", "sub/a/b.cc"}));
  EXPECT_EQ(both.devices, 4u);
  EXPECT_EQ(both.fail_on, "never");
  EXPECT_EQ(both.require_reason, false);
  ASSERT_EQ(both.overrides.size(), 1u);
  EXPECT_EQ(both.overrides[0].paths, (Words{"sub/**"}));
}

TEST(Config, WhatIsDumpedIsReadBack) {
  Options options = parse_options({"x"}).options;
  apply_config(parse_config("rules: [nccl-usage]\nseverity: {nccl-usage: error}\n"
                            "overrides: [{paths: [a/**], severity: {nccl-usage: \"off\"}}]\n"
                            "exclude: [b]\nassume: [hmm]\nrequire_reason: true\n",
                            "/p/c.yaml")
                   .config,
               options);
  const std::string text = dump_config(options);
  const ConfigResult again = parse_config(text, "/p/c.yaml");
  ASSERT_EQ(again.error, "") << text;
  Options second = parse_options({"x"}).options;
  apply_config(again.config, second);
  EXPECT_EQ(dump_config(second), text);
  EXPECT_EQ(second.rules, (Words{"nccl-usage"}));
  EXPECT_EQ(second.severities.size(), 2u);
  EXPECT_TRUE(second.require_reason);
}

TEST(Config, ScenariosAreReadAndChecked) {
  const ConfigResult result = parse_config(
      "scenarios:\n  visible: [\"2,3\", \"\"]\n  devices: [1, 8]\n  assume: [\"\", \"hmm, "
      "peers\"]\n",
      "c.yaml");
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.config.scenarios.visible, (Words{"2,3", ""}));
  EXPECT_EQ(result.config.scenarios.devices, (std::vector<unsigned>{1, 8}));
  EXPECT_EQ(result.config.scenarios.assume, (Words{"", "hmm, peers"}));
  EXPECT_EQ(error_of("scenarios:\n  visibel: [\"0\"]\n"),
            "c.yaml:2: unknown key 'visibel'; did you mean 'visible'?");
  EXPECT_EQ(error_of("scenario:\n  visible: [\"0\"]\n"),
            "c.yaml:1: unknown key 'scenario'; did you mean 'scenarios'?");
  EXPECT_EQ(error_of("scenarios:\n  devices:\n    - 2\n    - 65\n"),
            "c.yaml:4: devices must be whole numbers from 1 to 64");
  EXPECT_EQ(error_of("scenarios:\n  visible: [\"0\", \"1;2\"]\n"),
            "c.yaml:2: visible must list different numbers with commas between them, such as "
            "\"0,1\"; \"\" hides all devices");
  EXPECT_EQ(error_of("scenarios:\n  assume: [magic]\n"),
            "c.yaml:2: each entry of assume must be hmm and peers, separated by commas, or \"\"");
  std::string many = "scenarios: {devices: [1";
  for (int i = 0; i < 32; ++i) many += ", 2";
  EXPECT_EQ(error_of(many + "]}\n"), "c.yaml:1: there are 33 scenarios; at most 32 are checked");
  EXPECT_EQ(error_of("scenarios: [2]\n").rfind("c.yaml:1: ", 0), 0u);
  EXPECT_EQ(error_of("scenarios: {devices: 2}\n").rfind("c.yaml:1: ", 0), 0u);
}

TEST(Config, ScenariosAreInheritedDumpedAndLeftToTheCommandLine) {
  const Config base =
      parse_config("scenarios: {visible: [\"0\"], devices: [1]}\n", "/p/c.yaml").config;
  const Config own =
      parse_config("inherit: true\nscenarios: {devices: [2, 4]}\n", "/p/sub/c.yaml").config;
  const Config both = inherited(base, own);
  EXPECT_EQ(both.scenarios.visible, (Words{"0"}));
  EXPECT_EQ(both.scenarios.devices, (std::vector<unsigned>{2, 4}));
  Options open = parse_options({"x"}).options;
  apply_config(both, open);
  const ConfigResult again = parse_config(dump_config(open), "/p/c.yaml");
  ASSERT_EQ(again.error, "") << dump_config(open);
  EXPECT_EQ(again.config.scenarios.visible, (Words{"0"}));
  EXPECT_EQ(again.config.scenarios.devices, (std::vector<unsigned>{2, 4}));
  Options said = parse_options({"--devices=3", "x"}).options;
  apply_config(both, said);
  EXPECT_EQ(said.scenarios.visible, (Words{"0"}));
  EXPECT_TRUE(said.scenarios.devices.empty());
}

TEST(Config, TheCommandLineWins) {
  const Config config =
      parse_config("rules: [device-mismatch]\ndevices: 4\nassume: [hmm]\nflags: [-DX]\n",
                   "/p/c.yaml")
          .config;
  Options open = parse_options({"x"}).options;
  apply_config(config, open);
  EXPECT_EQ(open.rules, (Words{"device-mismatch"}));
  EXPECT_EQ(open.devices, 4u);
  EXPECT_TRUE(open.assumes("hmm"));
  EXPECT_FALSE(open.assumes("peers"));
  EXPECT_EQ(open.config_flags, (Words{"-DX"}));
  EXPECT_EQ(open.exclude_root, "/p");
  Options said = parse_options({"--rules=b", "--devices=3", "--assume=peers", "x"}).options;
  apply_config(config, said);
  EXPECT_EQ(said.rules, (Words{"b"}));
  EXPECT_EQ(said.devices, 3u);
  EXPECT_FALSE(said.assumes("hmm"));
}

TEST(Config, TheNearestFileUpwardsIsFound) {
  const std::filesystem::path root =
      std::filesystem::path(testing::TempDir()) / "placecheck_config_test";
  std::filesystem::create_directories(root / "a/b");
  std::ofstream(root / kConfigName) << "devices: 3\n";
  EXPECT_EQ(find_config((root / "a/b").string()), (root / kConfigName).string());
  std::ofstream(root / "a" / kConfigName) << "devices: 5\n";
  EXPECT_EQ(find_config((root / "a/b").string()), (root / "a" / kConfigName).string());
  EXPECT_EQ(load_config((root / "a" / kConfigName).string()).config.devices, 5u);
  std::filesystem::remove_all(root);
}

TEST(Config, AMissingFileIsNamed) {
  EXPECT_EQ(load_config("/nowhere/c.yaml").error,
            "configuration file '/nowhere/c.yaml' cannot be read: No such file or directory");
}

}  // namespace
}  // namespace placecheck
