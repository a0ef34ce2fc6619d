#include "analyzer/lsp/code_actions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/findings/comments.h"
#include "analyzer/findings/fixes.h"
#include "analyzer/findings/json_text.h"
#include "analyzer/findings/report.h"
#include "analyzer/findings/suppression.h"
#include "llvm/ADT/STLExtras.h"
#include "rules/catalog.h"

namespace placecheck::lsp {
namespace {

namespace json = llvm::json;

using findings::Finding;
using findings::FixIt;
using llvm::lsp::Range;

// "source.fixAll" asks for "source.fixAll.placecheck", too.
bool is_wanted(llvm::StringRef kind, const std::vector<std::string>& only) {
  return only.empty() || llvm::any_of(only, [&](llvm::StringRef asked) {
           llvm::StringRef rest = kind;
           return rest.consume_front(asked) && (rest.empty() || rest.starts_with("."));
         });
}

bool overlap(const Range& a, const Range& b) { return a.start <= b.end && b.start <= a.end; }

class Actions {
 public:
  Actions(const CodeActionParams& params, const Document& document, const Analysis& analysis,
          findings::SourceCache& sources, const View& view)
      : params_(params), document_(document), analysis_(analysis), sources_(sources), view_(view) {}

  json::Array all() {
    if (is_wanted(kQuickFix, params_.only)) {
      for (size_t i = 0; i < analysis_.findings.size(); ++i) add_for(i);
    }
    if (is_wanted(kFixAll, params_.only)) add_fix_all();
    return std::move(actions_);
  }

 private:
  void add_for(size_t index) {
    const Finding& finding = analysis_.findings[index];
    if (finding.range.file != document_.path) return;
    if (!overlap(range_of(finding.range, sources_, view_.encoding), params_.range)) return;
    if (!finding.fix_its.empty()) add_fix(finding, index);
    add_suppression(finding, index);
  }

  void add_fix(const Finding& finding, size_t index) {
    const bool is_safe = findings::is_safe_fix(finding.rule);
    const std::string title = is_safe ? finding.fix : finding.fix + " (may change other behaviour)";
    json::Object action = quick_fix(title, finding.fix_its, index);
    if (is_safe) action["isPreferred"] = true;
    actions_.push_back(std::move(action));
  }

  void add_suppression(const Finding& finding, size_t index) {
    if (rules::find_rule(finding.rule) == nullptr) return;  // one about comments themselves
    const auto edit = suppression_of(finding);
    if (edit) actions_.push_back(quick_fix("Silence " + finding.rule + " here", {*edit}, index));
  }

  // A comment at the end of the finding's first line; none where it would be no comment, as in a
  // string that goes on, or would change what the line is, as behind a backslash.
  std::optional<FixIt> suppression_of(const Finding& finding) {
    const std::string& file = finding.range.file;
    const unsigned line = finding.range.line;
    const llvm::StringRef text = sources_.line(file, line);
    if (line == 0 || text.ends_with("\\")) return std::nullopt;
    FixIt edit = add_to_comment(finding).value_or(
        FixIt{point(file, line, static_cast<unsigned>(text.size() + 1)),
              findings::comment_style(file) == findings::CommentStyle::kHash
                  ? "  # noqa: " + finding.rule
                  : "  // NOLINT(" + finding.rule + ")"});
    return silences(edit, finding) ? std::optional(std::move(edit)) : std::nullopt;
  }

  // Behind the last rule of a comment that silences others on the line.
  std::optional<FixIt> add_to_comment(const Finding& finding) {
    std::optional<FixIt> edit;
    for (const auto& each : findings::find_suppressions(finding.range.file, sources_)) {
      if (each.line != finding.range.line || each.range.line != each.line || each.rule.empty())
        continue;
      edit = FixIt{point(each.range.file, each.range.end_line, each.range.end_column),
                   ", " + finding.rule};
    }
    return edit;
  }

  static findings::SourceRange point(const std::string& file, unsigned line, unsigned column) {
    return {file, line, column, line, column};
  }

  bool silences(const FixIt& edit, const Finding& finding) {
    findings::Report report;
    report.findings = {finding};
    report.findings[0].fix_its = {edit};
    const auto plan = findings::plan_fixes(
        report, findings::FixScope::kAll, [](const std::string&) { return true; }, sources_);
    const auto edited = plan.files.find(edit.range.file);
    if (edited == plan.files.end()) return false;
    findings::SourceCache after;
    after.add(edited->first, edited->second);
    return llvm::any_of(findings::find_suppressions(edited->first, after),
                        [&](const auto& each) { return each.matches(finding); });
  }

  void add_fix_all() {
    findings::Report report;
    report.findings = analysis_.findings;
    const auto plan = findings::plan_fixes(
        report, findings::FixScope::kSafe,
        [&](const std::string& file) { return file == document_.path; }, sources_);
    std::vector<FixIt> fix_its;
    for (const Finding* finding : plan.applied)
      fix_its.insert(fix_its.end(), finding->fix_its.begin(), finding->fix_its.end());
    // Equal ones of several findings are made once.
    llvm::sort(fix_its);
    fix_its.erase(std::unique(fix_its.begin(), fix_its.end()), fix_its.end());
    if (fix_its.empty()) return;
    actions_.push_back(json::Object{{"title", "Mend all that has one safe fix"},
                                    {"kind", kFixAll},
                                    {"edit", edit_of(fix_its)}});
  }

  json::Object quick_fix(const std::string& title, const std::vector<FixIt>& fix_its,
                         size_t index) {
    return json::Object{{"title", findings::clean_text(title)},
                        {"kind", kQuickFix},
                        {"diagnostics", json::Array{diagnostic(index)}},
                        {"edit", edit_of(fix_its)}};
  }

  // As the client gave it, by which it knows it again.
  json::Object diagnostic(size_t index) {
    const Finding& finding = analysis_.findings[index];
    json::Object own = diagnostic_of(finding, analysis_.severities[index], sources_, view_);
    for (const json::Object& given : params_.diagnostics) {
      if (given.getString("code") == llvm::StringRef(finding.rule) && given.get("range") &&
          *given.get("range") == *own.get("range"))
        return given;
    }
    return own;
  }

  json::Object edit_of(const std::vector<FixIt>& fix_its) {
    std::map<std::string, json::Array> by_uri;
    for (const FixIt& fix_it : fix_its) {
      findings::SourceRange range = fix_it.range;
      if (range.end_line == 0) range = point(range.file, range.line, range.column);
      by_uri[uri_of(range.file, view_)].push_back(
          json::Object{{"range", toJSON(range_of(range, sources_, view_.encoding))},
                       {"newText", findings::clean_text(fix_it.replacement)}});
    }
    json::Object changes;
    for (auto& [uri, edits] : by_uri) changes[uri] = std::move(edits);
    return json::Object{{"changes", std::move(changes)}};
  }

  const CodeActionParams& params_;
  const Document& document_;
  const Analysis& analysis_;
  findings::SourceCache& sources_;
  const View& view_;
  json::Array actions_;
};

}  // namespace

json::Array code_actions(const CodeActionParams& params, const Document& document,
                         const Analysis& analysis, findings::SourceCache& sources,
                         const View& view) {
  return Actions(params, document, analysis, sources, view).all();
}

}  // namespace placecheck::lsp
