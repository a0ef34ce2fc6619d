// A finding: one hazard at one place of the source, with its evidence, the run-time error it
// predicts and how to mend it. Plain values that own their text; functions here are pure.
#ifndef PLACECHECK_ANALYZER_FINDINGS_FINDING_H_
#define PLACECHECK_ANALYZER_FINDINGS_FINDING_H_

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"

namespace placecheck::findings {

// Lines and columns count from 1, columns in bytes; the end is exclusive. A range without an end
// (end_line 0) is a point; line 0 means the file as a whole.
struct SourceRange {
  std::string file{};
  unsigned line = 0;
  unsigned column = 0;
  unsigned end_line = 0;
  unsigned end_column = 0;

  friend auto operator<=>(const SourceRange&, const SourceRange&) = default;
};

struct Note {
  SourceRange range{};
  std::string message{};

  friend auto operator<=>(const Note&, const Note&) = default;
};

// One text replacement; an insertion has an empty range.
struct FixIt {
  SourceRange range{};
  std::string replacement{};

  friend auto operator<=>(const FixIt&, const FixIt&) = default;
};

struct Finding {
  std::string rule{};  // an id of rules::catalog(), or one of this directory's own
  SourceRange range{};
  std::string message{};  // lower case, no full stop
  std::vector<Note> notes{};
  std::string predicted_error{};              // empty where no error is raised
  std::string fix{};                          // how to mend it, in words
  std::vector<FixIt> fix_its{};               // all of them together mend it
  std::string program{};                      // the root (its main file) in which it was seen
  std::vector<std::string> scenarios{};       // in which it holds, where it does not in all
  std::optional<rules::Severity> severity{};  // where it is not the rule's
};

// "devices=1; devices=2"; empty where the finding holds in all scenarios.
std::string scenario_text(const Finding& finding);

// The row of a rule id: from the catalogue, or of the findings about suppressions. Null if unknown.
const rules::Rule* find_row(std::string_view rule_id);

// Sorts by file, position and rule, and keeps one of those that say the same at the same place (a
// header seen from several programs): the one with the most notes, of the first program.
void order_and_deduplicate(std::vector<Finding>& findings);

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_FINDING_H_
