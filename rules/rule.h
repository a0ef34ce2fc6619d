// One row of the rule vocabulary: everything about a rule that is not code. Rows are constants
// whose text has static storage; they may be read from any thread.
#ifndef PLACECHECK_RULES_RULE_H_
#define PLACECHECK_RULES_RULE_H_

#include <string_view>

namespace placecheck::rules {

enum class Category {
  kPlacement,
  kModuleState,
  kDataParallel,
  kCheckpoint,
  kHygiene,
  kPerformance,
};

// kError: the program stops with an error. kWarning: it goes wrong later or silently. kAdvice: it
// works, but not as written.
enum class Severity { kError, kWarning, kAdvice };

struct Languages {
  bool cpp = false;
  bool cuda = false;
  bool python = false;
};

// Who evaluates the rule's predicate: the analyzer on source, the runtime on live values.
struct Witnesses {
  bool analyzer = false;
  bool runtime = false;
};

struct Rule {
  std::string_view id;
  std::string_view summary;
  Category category = Category::kPlacement;
  Severity severity = Severity::kWarning;
  Languages languages;
  Witnesses witnesses;
  // The run-time error this rule predicts, `{}` standing for what varies; empty where the hazard is
  // that no error is raised.
  std::string_view predicted_error;
  // Off unless a user names it: of a style that many programs do without.
  bool is_asked_for = false;
};

constexpr std::string_view name(Category category) {
  switch (category) {
    case Category::kPlacement:
      return "placement";
    case Category::kModuleState:
      return "module-state";
    case Category::kDataParallel:
      return "data-parallel";
    case Category::kCheckpoint:
      return "checkpoint";
    case Category::kHygiene:
      return "hygiene";
    case Category::kPerformance:
      return "performance";
  }
  return "placement";
}

constexpr std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kAdvice:
      return "advice";
  }
  return "warning";
}

}  // namespace placecheck::rules

#endif  // PLACECHECK_RULES_RULE_H_
