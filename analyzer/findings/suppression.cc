#include "analyzer/findings/suppression.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analyzer/files/notebook.h"
#include "analyzer/findings/comments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/GlobPattern.h"
#include "rules/catalog.h"

namespace placecheck::findings {
namespace {

constexpr llvm::StringRef kOwnPrefix = "placecheck-";

// Where names stand in a comment: after the keyword, in parentheses or after a colon.
struct Directive {
  std::size_t begin = 0;  // of the keyword, in the comment
  std::size_t end = 0;
  unsigned lines_ahead = 0;
  llvm::StringRef names = {};  // empty for a bare directive
  bool bare = true;
};

std::optional<Directive> parse_nolint(llvm::StringRef comment, std::size_t from) {
  const std::size_t begin = comment.find("NOLINT", from);
  if (begin == llvm::StringRef::npos) return std::nullopt;
  Directive directive{.begin = begin};
  llvm::StringRef rest = comment.substr(begin + 6);
  if (rest.consume_front("NEXTLINE")) directive.lines_ahead = 1;
  directive.end = comment.size() - rest.size();
  if (rest.consume_front("(")) {
    directive.bare = false;
    directive.names = rest.take_until([](char c) { return c == ')'; });
    directive.end += directive.names.size() + 1;
  }
  return directive;
}

// A longer word, such as NOLINTBEGIN or XNOLINT, is another directive or none.
bool is_whole_word(llvm::StringRef comment, const Directive& directive) {
  const auto is_word = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  const bool before = directive.begin > 0 && is_word(comment[directive.begin - 1]);
  const bool after =
      directive.bare && directive.end < comment.size() && is_word(comment[directive.end]);
  return !before && !after;
}

std::optional<Directive> parse_noqa(llvm::StringRef comment, std::size_t from) {
  // Right after a hash; elsewhere in a comment the word is only talked about.
  std::size_t begin = comment.find_insensitive("noqa", from);
  while (begin != llvm::StringRef::npos && !comment.take_front(begin).rtrim().ends_with("#")) {
    begin = comment.find_insensitive("noqa", begin + 1);
  }
  if (begin == llvm::StringRef::npos) return std::nullopt;
  Directive directive{.begin = begin, .end = begin + 4};
  llvm::StringRef rest = comment.substr(directive.end);
  if (rest.consume_front(":")) {
    directive.bare = false;
    directive.names = rest.take_until([](char c) { return c == '#'; });
    directive.end += directive.names.size() + 1;
  }
  return directive;
}

// What a comment says between a directive and the next one, without what encloses it.
llvm::StringRef reason_after(const Directive& directive, const std::optional<Directive>& next,
                             llvm::StringRef comment) {
  const auto is_mark = [](char c) { return !llvm::isAlnum(c) && static_cast<signed char>(c) > 0; };
  const llvm::StringRef text = comment.slice(directive.end, next ? next->begin : comment.size());
  return text.drop_while(is_mark).rtrim(" \t*/#,;");
}

void add_names(llvm::StringRef file, const Comment& comment, const Directive& directive,
               llvm::StringRef reason, std::vector<Suppression>& out) {
  const unsigned silenced = comment.line + directive.lines_ahead;
  const auto add = [&](const char* begin, std::size_t size, llvm::StringRef rule) {
    const auto column = static_cast<unsigned>(comment.column + (begin - comment.text.data()));
    out.push_back(
        {{file.str(), comment.line, column, comment.line, column + static_cast<unsigned>(size)},
         silenced,
         rule.str(),
         reason.str()});
  };
  if (directive.bare) {
    add(comment.text.data() + directive.begin, directive.end - directive.begin, "");
    return;
  }
  llvm::StringRef rest = directive.names;
  while (!(rest = rest.ltrim(" \t,")).empty()) {
    const llvm::StringRef name =
        rest.take_until([](char c) { return c == ',' || llvm::isSpace(c); });
    add(name.data(), name.size(), name);
    rest = rest.drop_front(name.size());
  }
}

bool is_pattern(llvm::StringRef rule) { return rule.contains('*'); }

llvm::StringRef without_own_prefix(llvm::StringRef rule) {
  rule.consume_front(kOwnPrefix);
  return rule;
}

// The rule that a wrong name most likely means, if it can be meant for us at all.
std::optional<std::string> nearest_rule(llvm::StringRef rule) {
  std::string plain = without_own_prefix(rule).lower();
  std::ranges::replace(plain, '_', '-');
  std::optional<std::string> nearest;
  unsigned best = 4;
  for (const rules::Rule& row : rules::catalog()) {
    const unsigned distance = llvm::StringRef(plain).edit_distance(row.id, true, best);
    if (distance >= best) continue;
    best = distance;
    nearest = std::string(row.id);
  }
  return nearest;
}

std::optional<Finding> about_unknown(const Suppression& suppression) {
  const llvm::StringRef rule = suppression.rule;
  if (rule.empty() || is_pattern(rule)) return std::nullopt;
  if (find_row(without_own_prefix(rule))) return std::nullopt;
  const std::optional<std::string> nearest = nearest_rule(rule);
  if (!nearest && !rule.starts_with(kOwnPrefix)) return std::nullopt;
  Finding finding{.rule = "unknown-suppression", .range = suppression.range};
  finding.message = "there is no rule '" + rule.str() + "'";
  if (nearest) {
    finding.message += "; did you mean '" + *nearest + "'?";
    finding.fix = "name the rule '" + *nearest + "'";
    finding.fix_its.push_back({suppression.range, *nearest});
  } else {
    finding.fix = "remove the name";
  }
  return finding;
}

std::optional<Finding> about_unused(const Suppression& suppression,
                                    std::span<const std::string_view> active_rules) {
  const llvm::StringRef rule = without_own_prefix(suppression.rule);
  const bool ran = std::ranges::find(active_rules, std::string_view(rule)) != active_rules.end();
  if (suppression.used || !ran) return std::nullopt;
  Finding finding{.rule = "unused-suppression", .range = suppression.range};
  finding.message = "nothing is found here for '" + rule.str() + "' to suppress";
  finding.fix = "remove the suppression";
  return finding;
}

std::optional<Finding> about_unexplained(const Suppression& suppression) {
  if (!suppression.used || !suppression.reason.empty()) return std::nullopt;
  Finding finding{.rule = "unexplained-suppression", .range = suppression.range};
  const bool hash = comment_style(suppression.range.file) == CommentStyle::kHash;
  const std::string name =
      suppression.rule.empty() ? "" : (hash ? ": " : "(") + suppression.rule + (hash ? "" : ")");
  finding.message = "nothing says why " +
                    (suppression.rule.empty() ? "findings are" : "'" + suppression.rule + "' is") +
                    " suppressed here";
  finding.fix = "give the reason: " +
                (hash ? "# noqa" + name + "  # reason" : "// NOLINT" + name + ": reason");
  return finding;
}

using ByFile = std::map<std::string, std::vector<Suppression>, std::less<>>;

// A finding is silenced on any line of its range, so that a comment may end a broken statement.
bool silence(const Finding& finding, std::vector<Suppression>& suppressions) {
  bool silenced = false;
  for (Suppression& suppression : suppressions) {
    if (!suppression.matches(finding)) continue;
    suppression.used = true;
    silenced = true;
  }
  return silenced;
}

ByFile collect(const Report& report, SourceCache& sources) {
  std::set<std::string> files;
  for (const FileReport& file : report.files) files.insert(file.path);
  for (const Finding& finding : report.findings) files.insert(finding.range.file);
  ByFile found;
  for (const std::string& file : files) found[file] = find_suppressions(file, sources);
  return found;
}

}  // namespace

bool Suppression::matches(const Finding& finding) const {
  const unsigned last = std::max(finding.range.line, finding.range.end_line);
  if (range.file != finding.range.file || line < finding.range.line || line > last) return false;
  if (rule.empty()) return true;
  if (!is_pattern(rule)) return without_own_prefix(rule) == finding.rule;
  llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(rule);
  if (pattern) return pattern->match(finding.rule);
  llvm::consumeError(pattern.takeError());
  return false;
}

namespace {

// Those in the code of a notebook, with their places in its file.
std::vector<Comment> comments_of_notebook(const files::Notebook& notebook) {
  std::vector<Comment> comments = find_comments(notebook.text, CommentStyle::kHash);
  for (Comment& comment : comments) {
    const auto& at = notebook.positions[comment.text.data() - notebook.text.data()];
    comment.line = at.line;
    comment.column = at.column;
  }
  return comments;
}

}  // namespace

std::vector<Suppression> find_suppressions(llvm::StringRef file, SourceCache& sources) {
  std::vector<Suppression> found;
  const CommentStyle style = comment_style(file);
  const bool hash = style == CommentStyle::kHash;
  const llvm::StringRef text = sources.contents(file);
  if (!(hash ? text.contains_insensitive("noqa") : text.contains("NOLINT"))) return found;
  const auto parse = hash ? parse_noqa : parse_nolint;
  files::Notebook notebook;
  if (files::is_notebook(file)) notebook = files::notebook_or_nothing(text);
  for (const Comment& comment :
       files::is_notebook(file) ? comments_of_notebook(notebook) : find_comments(text, style)) {
    std::optional<Directive> directive = parse(comment.text, 0);
    while (directive) {
      const std::optional<Directive> next = parse(comment.text, directive->end);
      if (is_whole_word(comment.text, *directive)) {
        const llvm::StringRef reason = reason_after(*directive, next, comment.text);
        add_names(file, comment, *directive, reason, found);
      }
      directive = next;
    }
  }
  return found;
}

void apply_suppressions(Report& report, std::span<const std::string_view> active_rules,
                        SourceCache& sources, bool require_reason) {
  ByFile suppressions = collect(report, sources);
  report.suppressed += std::erase_if(report.findings, [&](const Finding& finding) {
    return silence(finding, suppressions[finding.range.file]);
  });
  for (const FileReport& file : report.files) {
    const bool understood = file.status == Understanding::kFully;
    for (const Suppression& suppression : suppressions[file.path]) {
      std::optional<Finding> finding = about_unknown(suppression);
      if (!finding && understood) finding = about_unused(suppression, active_rules);
      if (!finding && require_reason) finding = about_unexplained(suppression);
      if (finding) report.findings.push_back(std::move(*finding));
    }
  }
  order_and_deduplicate(report.findings);
}

}  // namespace placecheck::findings
