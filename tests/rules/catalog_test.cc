#include "rules/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

#include "rules/docs.h"
#include "tests/rules/examples.h"

namespace placecheck::rules {
namespace {

TEST(Catalog, IsSortedAndFindsEachOfItsRules) {
  ASSERT_FALSE(catalog().empty());
  EXPECT_TRUE(std::ranges::is_sorted(catalog(), {}, &Rule::id));
  for (const Rule& rule : catalog()) EXPECT_EQ(find_rule(rule.id), &rule) << rule.id;
}

TEST(Catalog, DoesNotFindOthers) {
  for (std::string_view id : {"", "a", "device", "device-mismatch-", "device_mismatch", "zzz"}) {
    EXPECT_EQ(find_rule(id), nullptr) << id;
  }
}

TEST(Catalog, RowsAreWrittenAlike) {
  for (const Rule& rule : catalog()) {
    EXPECT_TRUE(std::ranges::all_of(rule.id, [](char c) { return std::islower(c) || c == '-'; }))
        << rule.id;
    ASSERT_FALSE(rule.summary.empty()) << rule.id;
    EXPECT_TRUE(std::islower(rule.summary.front())) << rule.id;
    EXPECT_NE(rule.summary.back(), '.') << rule.id;
    EXPECT_TRUE(rule.languages.cpp || rule.languages.python) << rule.id;
    EXPECT_TRUE(rule.witnesses.analyzer) << rule.id;
  }
}

// Of a page's first examples.
const Language& language_of(std::string_view page) {
  const auto found = std::ranges::find_if(languages(), [&](const Language& language) {
    return page.find("\n```" + language.name + " bad\n") != std::string_view::npos;
  });
  return found == languages().end() ? languages().front() : *found;
}

class Pages : public testing::TestWithParam<Rule> {};

TEST_P(Pages, HasTheSections) {
  const std::string_view text = page(GetParam().id);
  std::size_t position = 0;
  const std::string title = "# " + std::string(GetParam().id) + "\n";
  const std::string fence = "```" + language_of(text).name;
  for (const std::string& heading :
       {title, std::string("\n## What it means\n"), std::string("\n## Why it fails\n"),
        "\n## Example\n\n" + fence + " bad\n", std::string("\n## Instead\n"),
        "\n" + fence + " good\n", std::string("\n## Limits\n")}) {
    position = text.find(heading, position);
    ASSERT_NE(position, std::string_view::npos) << GetParam().id << " lacks " << heading;
  }
}

// One expectation in a bad example, none in the good one.
TEST_P(Pages, ExpectsItsOwnFindingOnceInALanguage) {
  const std::string_view text = page(GetParam().id);
  for (const Language& language : languages()) {
    const std::size_t bad = text.find("```" + language.name + " bad\n");
    if (bad == std::string_view::npos) continue;
    const std::size_t bad_end = text.find("```\n", bad + 3);
    const std::string expectation =
        language.comment + "expect: " + std::string(GetParam().id) + "\n";
    const std::size_t found = text.find(expectation, bad);
    EXPECT_GT(found, bad);
    EXPECT_LT(found, bad_end);
    EXPECT_EQ(text.substr(0, bad_end).find("expect:", found + expectation.size()),
              std::string_view::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Pages, testing::ValuesIn(catalog().begin(), catalog().end()),
                         [](const auto& info) {
                           std::string name(info.param.id);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// A bad and a good example for every rule, each a whole program text.
TEST(Examples, ArePrograms) {
  const std::vector<Example> all = examples();
  EXPECT_GE(all.size(), 2 * catalog().size());
  EXPECT_EQ(std::ranges::count(all, 0u, &Example::expected_line),
            static_cast<std::ptrdiff_t>(all.size() / 2));
  for (const Example& example : all) {
    if (example.extension == ".py") {
      EXPECT_TRUE(example.source.starts_with("import ")) << example.rule;
      continue;
    }
    bool is_cuda = example.extension == ".cu";
    EXPECT_TRUE(example.source.starts_with(is_cuda ? "#include <" : "#include <torch/torch.h>\n"))
        << example.rule;
    EXPECT_TRUE(example.source.ends_with("}\n")) << example.rule;
  }
}

TEST(Page, SaysWhatIsAssumed) {
  EXPECT_TRUE(page(kAssumptionsPage).starts_with("# What is assumed"));
}

TEST(Page, IsEmptyForOthers) { EXPECT_TRUE(page("no-such-rule").empty()); }

}  // namespace
}  // namespace placecheck::rules
