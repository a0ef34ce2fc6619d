// The forms in which a report leaves the analyzer. Each writes a whole report to a stream, in
// the report's order, and ends with a line end. They never fail; a source file that cannot be read
// only leaves its line out. Not thread-safe (they read through a SourceCache).
#ifndef PLACECHECK_ANALYZER_FINDINGS_EMITTERS_H_
#define PLACECHECK_ANALYZER_FINDINGS_EMITTERS_H_

#include <string>

#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"

namespace llvm {
class raw_ostream;
}

namespace placecheck::findings {

struct TextOptions {
  bool color = false;
  bool summary = true;  // the files not fully understood, and the last line
};

// For people: `file:line:col: warning: message [rule-id]`, the line with a caret, notes, the
// run-time error, the fix; last the summary.
void emit_text(const Report& report, const TextOptions& options, SourceCache& sources,
               llvm::raw_ostream& out);

// One object: version, findings, files, summary.
void emit_json(const Report& report, llvm::raw_ostream& out);

struct SarifOptions {
  std::string version{};    // of the tool
  std::string help_base{};  // rules' helpUri is this + "<rule-id>.md"; left out where empty
};

// SARIF 2.1.0: notes as relatedLocations and, with the finding, as a codeFlow; fix-its as fixes,
// files that could not be fully checked as toolExecutionNotifications.
void emit_sarif(const Report& report, const SarifOptions& options, SourceCache& sources,
                llvm::raw_ostream& out);

// Workflow commands that GitHub shows beside the lines.
void emit_github(const Report& report, llvm::raw_ostream& out);

// GitLab's Code Quality report, a subset of Code Climate's.
void emit_gitlab(const Report& report, SourceCache& sources, llvm::raw_ostream& out);

struct HtmlOptions {
  std::string version{};  // of the tool
};

// One page for people, which needs nothing else: the findings with their evidence, the sources with
// each value coloured by its place (Report::places), and how much of each file is known.
void emit_html(const Report& report, const HtmlOptions& options, SourceCache& sources,
               llvm::raw_ostream& out);

// JUnit's XML, which most CI systems show: a test case for each file.
void emit_junit(const Report& report, llvm::raw_ostream& out);

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_EMITTERS_H_
