#include "tests/checks/findings_text.h"

#include <algorithm>

#include "analyzer/findings/emitters.h"
#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::checks {
namespace {

using findings::Finding;
using findings::FixIt;
using findings::SourceRange;

// Beside the fixtures their lines would say nothing new, and be half of the text.
findings::SourceCache without_lines(const Finding& finding) {
  findings::SourceCache sources;
  sources.add(finding.range.file, "");
  for (const findings::Note& note : finding.notes) sources.add(note.range.file, "");
  return sources;
}

void write_edit(const FixIt& edit, const std::string& folder, llvm::raw_ostream& out) {
  const SourceRange& range = edit.range;
  const bool is_point = range.end_line == 0;
  out << "  fix-it:\"" << findings::relative_path(range.file, folder) << "\":{" << range.line << ':'
      << range.column << '-' << (is_point ? range.line : range.end_line) << ':'
      << (is_point ? range.column : range.end_column) << "}:\"";
  out.write_escaped(edit.replacement) << "\"\n";
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings, const std::string& folder) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Finding& each : findings) {
    findings::Report report;
    report.root = folder;
    report.findings = {each};
    report.severities[{each.rule, each.range.file}] = findings::severity_of(report, each);
    findings::SourceCache sources = without_lines(each);
    findings::emit_text(report, {.color = false, .summary = false}, sources, out);
    for (const FixIt& edit : each.fix_its) write_edit(edit, folder, out);
  }
  return text;
}

}  // namespace placecheck::checks
