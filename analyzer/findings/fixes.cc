#include "analyzer/findings/fixes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "llvm/ADT/StringRef.h"

namespace placecheck::findings {
namespace {

// The assignment of a dropped result is what the call was written for; a misspelled rule has one
// near name.
constexpr std::string_view kSafeRules[] = {"discarded-transfer", "unknown-suppression"};

// A replacement by positions in the file's bytes.
struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;

  friend auto operator<=>(const Edit&, const Edit&) = default;
};

using Edits = std::map<std::string, std::set<Edit>>;

std::optional<std::size_t> position_of(unsigned line, unsigned column, llvm::StringRef file,
                                       SourceCache& sources) {
  const llvm::StringRef text = sources.line(file, line);
  if (line == 0 || column == 0 || line > sources.line_count(file) || column > text.size() + 1)
    return std::nullopt;
  return static_cast<std::size_t>(text.data() - sources.contents(file).data()) + column - 1;
}

std::optional<Edit> edit_of(const FixIt& fix_it, SourceCache& sources) {
  const SourceRange& range = fix_it.range;
  const auto begin = position_of(range.line, range.column, range.file, sources);
  const auto end = range.end_line == 0
                       ? begin
                       : position_of(range.end_line, range.end_column, range.file, sources);
  if (!begin || !end || *end < *begin) return std::nullopt;
  return Edit{*begin, *end, fix_it.replacement};
}

// Two insertions at one place have no order.
bool conflict(const Edit& a, const Edit& b) {
  if (a == b) return false;
  if (a.begin == a.end && b.begin == b.end) return a.begin == b.begin;
  return a.begin < b.end && b.begin < a.end;
}

bool conflicts(const Edit& edit, const std::set<Edit>& others) {
  return std::ranges::any_of(others, [&](const Edit& other) { return conflict(edit, other); });
}

// All edits of a finding, or why one of them cannot be made.
struct Edited {
  Edits edits;
  std::string_view refusal;  // empty: they can
};

Edited edits_of(const Finding& finding, const Edits& made,
                const std::function<bool(const std::string&)>& may_change, SourceCache& sources) {
  Edits edits;
  for (const FixIt& fix_it : finding.fix_its) {
    const std::string& file = fix_it.range.file;
    if (!may_change(file)) return {{}, "it would change a file that was not to be checked"};
    std::optional<Edit> edit = edit_of(fix_it, sources);
    if (!edit || conflicts(*edit, edits[file])) return {{}, "the text is not what was checked"};
    const auto others = made.find(file);
    if (others != made.end() && conflicts(*edit, others->second))
      return {{}, "another fix changes the same text"};
    edits[file].insert(*std::move(edit));
  }
  return {std::move(edits), ""};
}

std::string edited(llvm::StringRef text, const std::set<Edit>& edits) {
  std::string result;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    result += text.slice(done, edit.begin);
    result += edit.text;
    done = edit.end;
  }
  return result + text.drop_front(done).str();
}

}  // namespace

bool is_safe_fix(std::string_view rule) {
  return std::ranges::find(kSafeRules, rule) != std::end(kSafeRules);
}

FixPlan plan_fixes(const Report& report, FixScope scope,
                   const std::function<bool(const std::string&)>& may_change,
                   SourceCache& sources) {
  FixPlan plan;
  Edits made;
  for (const Finding& finding : report.findings) {
    if (finding.fix_its.empty()) continue;
    if (scope == FixScope::kSafe && !is_safe_fix(finding.rule)) continue;
    Edited edited = edits_of(finding, made, may_change, sources);
    if (!edited.refusal.empty()) {
      plan.refused.push_back({&finding, edited.refusal});
      continue;
    }
    plan.applied.push_back(&finding);
    for (auto& [file, own] : edited.edits) made[file].merge(own);
  }
  for (const auto& [file, edits] : made) plan.files[file] = edited(sources.contents(file), edits);
  return plan;
}

}  // namespace placecheck::findings
