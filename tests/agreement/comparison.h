// The analyzer's answers (a fixture's marks) against a run's, rule by rule and line by line.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/agreement/marks.h"
#include "tests/agreement/witness.h"

namespace placecheck::agreement {

// A mark is confirmed by an event of its rule at its line ("agree"), or elsewhere ("later"): by the
// error that the rule predicts, or where the program itself raises or warns of the effect, in a
// line marked `// shows: RULE`. What happened once confirms one mark.
//
// Why the two differ at a place, as it is written down by hand in the golden file; the first two
// also by the fixtures' own marks.
//   known-miss         marked expect-miss; or the run alone saw it, and the analyzer should
//   known-false-alarm  marked expect-false-alarm; or the analyzer alone saw it, and is wrong
//   not-reached        the run did not get there: it needs files or arguments, or ended before
//   static-only        it got there, and a run like this cannot see it
//   run-only           the analyzer cannot know it
struct Difference {
  std::string place;
  std::string rule;
  bool is_of_run;  // else of the analyzer

  friend auto operator<=>(const Difference&, const Difference&) = default;
};

struct Counts {
  int marks = 0;
  int agree = 0;  // the same rule at the same line
  int later = 0;  // what comes of it, at another line
  std::map<std::string, int> by_reason;
};

struct Comparison {
  std::map<std::string, Counts> rules;
  std::set<Difference> differences;
  int programs = 0;
  int finished = 0;
  // Without a main() of their own, or in need of more than virtual devices; and those for our own
  // runtime, which //tests/runtime:programs_test runs.
  int not_run = 0;
};

// Adds a program: `marks` are those of all its files.
void add(Comparison& comparison, const Execution& run, const std::vector<Mark>& marks);

// The golden file: a table, then the differences with their reasons. `reasons` are those of the
// file as it is; a difference without one gets "?".
std::string text_of(Comparison& comparison, const std::map<Difference, std::string>& reasons);
std::map<Difference, std::string> read_reasons(const std::string& file);

}  // namespace placecheck::agreement
