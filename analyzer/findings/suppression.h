// Comments that silence findings: `// NOLINT(rule-id)`, `// NOLINT`, `// NOLINTNEXTLINE(rule-id)`
// and, in Python, `# noqa: rule-id`. What follows is the reason: `NOLINT(rule-id): why`,
// `# noqa: rule-id  # why`. One that names a rule but silences nothing, or nearly names a rule, is
// itself a finding, and so is one without a reason where the project asks for it; names of other
// tools' checks are none of our business. Not thread-safe (reads through a SourceCache).
#ifndef PLACECHECK_ANALYZER_FINDINGS_SUPPRESSION_H_
#define PLACECHECK_ANALYZER_FINDINGS_SUPPRESSION_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "rules/rule.h"

namespace placecheck::findings {

inline constexpr rules::Rule kSuppressionRules[] = {
    {.id = "unexplained-suppression",
     .summary = "a comment suppresses a finding and does not say why",
     .category = rules::Category::kHygiene,
     .severity = rules::Severity::kAdvice,
     .languages = {.cpp = true, .cuda = true, .python = true},
     .witnesses = {.analyzer = true, .runtime = false},
     .predicted_error = ""},
    {.id = "unknown-suppression",
     .summary = "a comment suppresses a rule that does not exist",
     .category = rules::Category::kHygiene,
     .severity = rules::Severity::kAdvice,
     .languages = {.cpp = true, .cuda = true, .python = true},
     .witnesses = {.analyzer = true, .runtime = false},
     .predicted_error = ""},
    {.id = "unused-suppression",
     .summary = "a comment suppresses a rule that finds nothing there",
     .category = rules::Category::kHygiene,
     .severity = rules::Severity::kAdvice,
     .languages = {.cpp = true, .cuda = true, .python = true},
     .witnesses = {.analyzer = true, .runtime = false},
     .predicted_error = ""},
};

// One name in one suppressing comment.
struct Suppression {
  SourceRange range{};  // of the name, or of the bare NOLINT
  unsigned line = 0;    // the line that it silences
  std::string rule{};   // as written; empty for a bare one, which silences all
  std::string reason{};
  bool used = false;

  bool matches(const Finding& finding) const;
};

// The suppressions of one file, in order.
std::vector<Suppression> find_suppressions(llvm::StringRef file, SourceCache& sources);

// Removes from `report.findings` what comments silence, counts it in `report.suppressed`, and adds
// findings about useless suppressions in `report.files`, and about those without a reason where
// they `require_reason`. Those of rules that did not run (not in `active_rules`), or in files that
// were not fully understood, are not called unused.
void apply_suppressions(Report& report, std::span<const std::string_view> active_rules,
                        SourceCache& sources, bool require_reason = false);

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_SUPPRESSION_H_
