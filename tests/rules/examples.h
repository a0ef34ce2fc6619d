// The examples of the rules' pages, as programs with what is to be found in them.
#ifndef PLACECHECK_TESTS_RULES_EXAMPLES_H_
#define PLACECHECK_TESTS_RULES_EXAMPLES_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "rules/catalog.h"
#include "rules/docs.h"

namespace placecheck::rules {

struct Example {
  std::string rule;
  std::string source;
  std::string extension;  // of a file that holds it: ".cc", ".cu", ".py"
  // The line (from 1) with the one finding, of `rule`; 0 in a good example, which has none.
  unsigned expected_line = 0;
};

inline unsigned line_of(std::string_view source, std::string_view text) {
  const std::size_t found = source.find(text);
  if (found == std::string_view::npos) return 0;
  const std::string_view before = source.substr(0, found);
  return 1 + static_cast<unsigned>(std::ranges::count(before, '\n'));
}

// How pages mark programs in a language.
struct Language {
  std::string name;  // after the fence
  std::string extension;
  std::string comment;
};

inline const std::vector<Language>& languages() {
  static const auto* kLanguages = new std::vector<Language>{
      {"cpp", ".cc", "// "},
      {"cuda", ".cu", "// "},
      {"extension", ".cu", "// "},
      {"python", ".py", "# "},
  };
  return *kLanguages;
}

inline void add_examples(const Rule& rule, const Language& language, std::string_view kind,
                         std::vector<Example>& to) {
  const std::string_view text = page(rule.id);
  const std::string open = "\n```" + language.name + " " + std::string(kind) + "\n";
  const std::string expectation = language.comment + "expect: " + std::string(rule.id) + "\n";
  std::size_t begin = text.find(open);
  while (begin != std::string_view::npos) {
    begin += open.size();
    const std::size_t end = text.find("\n```\n", begin);
    const std::string_view source = text.substr(begin, end + 1 - begin);
    to.push_back({std::string(rule.id), std::string(source), language.extension,
                  line_of(source, expectation)});
    begin = text.find(open, end);
  }
}

inline std::vector<Example> examples() {
  std::vector<Example> result;
  for (const Rule& rule : catalog()) {
    for (const Language& language : languages()) {
      add_examples(rule, language, "bad", result);
      add_examples(rule, language, "good", result);
    }
  }
  return result;
}

}  // namespace placecheck::rules

#endif  // PLACECHECK_TESTS_RULES_EXAMPLES_H_
