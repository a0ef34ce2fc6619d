#include <algorithm>

#include "analyzer/findings/baseline.h"
#include "analyzer/findings/emitters.h"
#include "analyzer/findings/json_text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::findings {
namespace {

llvm::StringRef gitlab_name(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::kError:
      return "critical";
    case rules::Severity::kWarning:
      return "major";
    case rules::Severity::kAdvice:
      return "minor";
  }
  return "major";
}

std::string description_of(const Finding& finding) {
  std::string text = finding.message;
  if (!finding.scenarios.empty()) text += "; only with: " + scenario_text(finding);
  if (!finding.predicted_error.empty()) text += "; at run time: " + finding.predicted_error;
  if (!finding.fix.empty()) text += "; fix: " + finding.fix;
  return text;
}

}  // namespace

void emit_gitlab(const Report& report, SourceCache& sources, llvm::raw_ostream& out) {
  const std::vector<std::string> prints = fingerprints(report, sources);
  llvm::json::OStream json(out, /*IndentSize=*/2);
  json.array([&] {
    for (std::size_t i = 0; i < prints.size(); ++i) {
      const Finding& finding = report.findings[i];
      json.object([&] {
        json.attribute("description", clean_text(description_of(finding)));
        json.attribute("check_name", clean_text(finding.rule));
        json.attribute("fingerprint", prints[i]);
        json.attribute("severity", gitlab_name(severity_of(report, finding)));
        json.attributeObject("location", [&] {
          json.attribute("path", clean_text(relative_path(finding.range.file, report.root)));
          json.attributeObject("lines",
                               [&] { json.attribute("begin", std::max(finding.range.line, 1u)); });
        });
      });
    }
  });
  out << '\n';
}

}  // namespace placecheck::findings
