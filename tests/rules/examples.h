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

inline std::vector<Example> examples() {
  std::vector<Example> result;
  for (const Rule& rule : catalog()) {
    const std::string_view text = page(rule.id);
    for (std::string_view open :
         {"\n```cpp bad\n", "\n```cpp good\n", "\n```cuda bad\n", "\n```cuda good\n",
          "\n```extension bad\n", "\n```extension good\n", "\n```python bad\n",
          "\n```python good\n"}) {
      const std::string extension = open.starts_with("\n```python") ? ".py"
                                    : open.starts_with("\n```cpp")  ? ".cc"
                                                                     : ".cu";
      std::size_t begin = text.find(open);
      while (begin != std::string_view::npos) {
        begin += open.size();
        const std::size_t end = text.find("\n```\n", begin);
        const std::string_view source = text.substr(begin, end + 1 - begin);
        const std::string expectation =
            (is_python ? "# expect: " : "// expect: ") + std::string(rule.id) + "\n";
        result.push_back(
            {std::string(rule.id), std::string(source), extension, line_of(source, expectation)});
        begin = text.find(open, end);
      }
    }
  }
  return result;
}

}  // namespace placecheck::rules

#endif  // PLACECHECK_TESTS_RULES_EXAMPLES_H_
