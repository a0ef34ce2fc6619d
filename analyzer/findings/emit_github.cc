#include <algorithm>

#include "analyzer/findings/emitters.h"
#include "analyzer/findings/json_text.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::findings {
namespace {

// GitHub's own escapes: line ends everywhere, separators in properties only.
std::string escaped(llvm::StringRef text, bool property) {
  std::string result;
  for (char c : clean_text(text)) {
    switch (c) {
      case '%':
        result += "%25";
        break;
      case '\r':
        result += "%0D";
        break;
      case '\n':
        result += "%0A";
        break;
      case ':':
        result += property ? "%3A" : ":";
        break;
      case ',':
        result += property ? "%2C" : ",";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string message_of(const Finding& finding, const std::string& root) {
  std::string text = finding.message;
  for (const Note& note : finding.notes) {
    text += "\n" + relative_path(note.range.file, root) + ":" + std::to_string(note.range.line) +
            ": " + note.message;
  }
  if (!finding.scenarios.empty()) text += "\nonly with: " + scenario_text(finding);
  if (!finding.predicted_error.empty()) text += "\nat run time: " + finding.predicted_error;
  if (!finding.fix.empty()) text += "\nfix: " + finding.fix;
  return text;
}

llvm::StringRef command_of(const Report& report, const Finding& finding) {
  switch (chosen_severity(report, finding).value_or(rules::Severity::kWarning)) {
    case rules::Severity::kError:
      return "error";
    case rules::Severity::kWarning:
      return "warning";
    case rules::Severity::kAdvice:
      return "notice";
  }
  return "warning";
}

void write_finding(const Finding& finding, const Report& report, llvm::raw_ostream& out) {
  const std::string& root = report.root;
  const SourceRange& range = finding.range;
  out << "::" << command_of(report, finding)
      << " file=" << escaped(relative_path(range.file, root), true)
      << ",line=" << std::max(range.line, 1u);
  // GitHub shows columns only for ranges within one line.
  if (range.end_line > range.line) out << ",endLine=" << range.end_line;
  if (range.end_line <= range.line) out << ",col=" << std::max(range.column, 1u);
  if (range.end_line == range.line && range.end_column > range.column) {
    out << ",endColumn=" << range.end_column - 1;
  }
  out << ",title=" << escaped(finding.rule, true)
      << "::" << escaped(message_of(finding, root), false) << '\n';
}

}  // namespace

void emit_github(const Report& report, llvm::raw_ostream& out) {
  for (const Finding& finding : report.findings) write_finding(finding, report, out);
  for (const FileReport& file : report.files) {
    if (file.status == Understanding::kFully) continue;
    out << "::notice file=" << escaped(relative_path(file.path, report.root), true)
        << ",title=placecheck::" << escaped(describe(file), false) << '\n';
  }
  out << "::notice title=placecheck::" << escaped(summary_line(report), false) << '\n';
}

}  // namespace placecheck::findings
