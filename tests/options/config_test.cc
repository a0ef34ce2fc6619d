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
      "# comment\nrules: [device-mismatch, -unregistered-state]\n"
      "exclude:\n  - third_party/**\ndevices: 4\nassume: [hmm, peers]\nflags: [-DX, -Iinclude]\n",
      "c.yaml");
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.config.rules, (Words{"device-mismatch", "-unregistered-state"}));
  EXPECT_EQ(result.config.exclude, (Words{"third_party/**"}));
  EXPECT_EQ(result.config.devices, 4u);
  EXPECT_EQ(result.config.assumed, (Words{"hmm", "peers"}));
  EXPECT_EQ(result.config.flags, (Words{"-DX", "-Iinclude"}));
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
  EXPECT_EQ(error_of("\xff\xfe").rfind("c.yaml: not a text file in UTF-8", 0), 0u);
  EXPECT_NE(error_of(std::string("a\0b: [", 6)), "");
}

TEST(Config, TheCommandLineWins) {
  const Config config =
      parse_config("rules: [a]\ndevices: 4\nassume: [hmm]\nflags: [-DX]\n", "/p/c.yaml").config;
  Options open = parse_options({"x"}).options;
  apply_config(config, open);
  EXPECT_EQ(open.rules, (Words{"a"}));
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
