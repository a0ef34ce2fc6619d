#include "analyzer/findings/finding.h"

#include <algorithm>
#include <tuple>

#include "analyzer/findings/suppression.h"
#include "rules/catalog.h"

namespace placecheck::findings {
namespace {

auto place(const Finding& finding) {
  return std::tie(finding.range, finding.rule, finding.message);
}

// Among those that say the same, the one to keep comes first: most evidence, then first program.
// The rest of the key only makes the order independent of the order of arrival.
bool comes_before(const Finding& a, const Finding& b) {
  if (place(a) != place(b)) return place(a) < place(b);
  if (a.notes.size() != b.notes.size()) return a.notes.size() > b.notes.size();
  return std::tie(a.program, a.notes, a.predicted_error, a.fix, a.fix_its) <
         std::tie(b.program, b.notes, b.predicted_error, b.fix, b.fix_its);
}

}  // namespace

std::string scenario_text(const Finding& finding) {
  std::string text;
  for (const std::string& each : finding.scenarios) text += (text.empty() ? "" : "; ") + each;
  return text;
}

const rules::Rule* find_row(std::string_view rule_id) {
  const auto own = std::ranges::find(kSuppressionRules, rule_id, &rules::Rule::id);
  return own != std::end(kSuppressionRules) ? &*own : rules::find_rule(rule_id);
}

void order_and_deduplicate(std::vector<Finding>& findings) {
  std::ranges::sort(findings, comes_before);
  const auto repeated = std::ranges::unique(
      findings, [](const Finding& a, const Finding& b) { return place(a) == place(b); });
  findings.erase(repeated.begin(), repeated.end());
}

}  // namespace placecheck::findings
