// Programs as IR text whose lines say what is to be found in them: `# expect: RULE`.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "analyzer/checks/analyze.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/ir/ir.h"
#include "analyzer/ir/link.h"
#include "analyzer/ir/parse.h"
#include "analyzer/ir/verify.h"

namespace placecheck::dataflow {

using Lines = std::set<std::string>;  // "LINE RULE"

inline constexpr std::string_view kMark = "# expect: ";

inline bool is_instruction(const std::string& line) {
  return line.starts_with("  ") && !line.starts_with("  slot ") && !line.starts_with("  field ") &&
         !line.starts_with("  method ");
}

// Gives each instruction the line on which it stands as its range.
inline std::string with_ranges(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::string result = "file \"test.cc\"\n";
  size_t number = 1;
  for (std::string line; std::getline(in, line); ++number) {
    line = line.substr(0, line.find(" #"));
    std::string at = std::to_string(number);
    if (is_instruction(line)) line += " !0:" + at + ":1-" + at + ":2";
    result += line + "\n";
  }
  return result;
}

inline Lines marks_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  Lines marks;
  size_t number = 1;
  for (std::string line; std::getline(in, line); ++number) {
    size_t at = line.find(kMark);
    if (at != std::string::npos) {
      marks.insert(std::to_string(number) + " " + line.substr(at + kMark.size()));
    }
  }
  return marks;
}

struct Judged {
  Lines found;
  Coverage coverage;
};

inline Judged judge(std::string_view text) {
  ir::ParseResult parsed = ir::parse(with_ranges(text));
  EXPECT_EQ(parsed.error, "") << text;
  EXPECT_EQ(ir::to_string(ir::verify(parsed.unit)), "");
  const ir::Unit* unit = &parsed.unit;
  findings::SourceCache sources;
  Judged judged;
  for (const ir::Program& program : ir::link({&unit, 1})) {
    for (const findings::Finding& each : checks::analyze(program, {}, sources, judged.coverage)) {
      judged.found.insert(std::to_string(each.range.line) + " " + each.rule);
    }
  }
  return judged;
}

// What is found is what the lines say, and nothing else.
inline void expect_marks(std::string_view text) {
  EXPECT_EQ(judge(text).found, marks_of(text)) << text;
}

}  // namespace placecheck::dataflow
