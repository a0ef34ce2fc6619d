#include "analyzer/lsp/diagnostics.h"

#include <utility>

#include "analyzer/findings/json_text.h"
#include "analyzer/findings/report.h"

namespace placecheck::lsp {
namespace {

namespace json = llvm::json;

using findings::clean_text;
using findings::Finding;
using llvm::lsp::DiagnosticSeverity;

DiagnosticSeverity severity_of(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::kError:
      return DiagnosticSeverity::Error;
    case rules::Severity::kWarning:
      return DiagnosticSeverity::Warning;
    case rules::Severity::kAdvice:
      break;
  }
  return DiagnosticSeverity::Information;
}

// With what the text report prints in lines of its own; the notes, too, where the client would not
// show them otherwise.
std::string message_of(const Finding& finding, const View& view) {
  std::string text = finding.message;
  if (!view.shows_related) {
    for (const findings::Note& note : finding.notes)
      text += "\n" + note.range.file + ":" + std::to_string(note.range.line) + ": " + note.message;
  }
  if (!finding.scenarios.empty()) text += "\nonly with: " + findings::scenario_text(finding);
  if (!finding.predicted_error.empty()) text += "\nat run time: " + finding.predicted_error;
  if (!finding.fix.empty()) text += "\nfix: " + finding.fix;
  return clean_text(text);
}

}  // namespace

std::string uri_of(const std::string& path, const View& view) {
  if (view.documents) {
    const auto open = view.documents->all().find(path);
    if (open != view.documents->all().end()) return open->second.uri.uri().str();
  }
  auto uri = llvm::lsp::URIForFile::fromFile(path);
  if (uri) return uri->uri().str();
  llvm::consumeError(uri.takeError());
  return {};
}

json::Object diagnostic_of(const Finding& finding, rules::Severity severity,
                           findings::SourceCache& sources, const View& view) {
  json::Object diagnostic{
      {"range", toJSON(range_of(finding.range, sources, view.encoding))},
      {"severity", static_cast<int>(severity_of(severity))},
      {"code", finding.rule},
      {"source", "placecheck"},
      {"message", message_of(finding, view)},
  };
  if (!view.shows_related || finding.notes.empty()) return diagnostic;
  json::Array related;
  for (const findings::Note& note : finding.notes) {
    related.push_back(json::Object{
        {"location", json::Object{{"uri", uri_of(note.range.file, view)},
                                  {"range", toJSON(range_of(note.range, sources, view.encoding))}}},
        {"message", clean_text(note.message)},
    });
  }
  diagnostic["relatedInformation"] = std::move(related);
  return diagnostic;
}

}  // namespace placecheck::lsp
