// What --fix does to the text of files, from the fix-its of findings. Pure functions over a
// SourceCache; nothing is written here. Not thread-safe (reads through a SourceCache).
#ifndef PLACECHECK_ANALYZER_FINDINGS_FIXES_H_
#define PLACECHECK_ANALYZER_FINDINGS_FIXES_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"

namespace placecheck::findings {

enum class FixScope {
  kSafe,  // rules whose fix cannot mean anything else than what was written
  kAll,
};

// Whether the fix of this rule is applied by plain --fix.
bool is_safe_fix(std::string_view rule);

struct RefusedFix {
  const Finding* finding;
  std::string_view reason;  // "another fix changes the same text", ...
};

struct FixPlan {
  std::map<std::string, std::string> files;  // the new text of each file that changes, by path
  std::vector<const Finding*> applied;
  std::vector<RefusedFix> refused;
};

// The fixes of a finding are applied together or not at all. Equal ones of several findings are
// applied once; of those that overlap, the first in the report's order is. `may_change` says of a
// path whether it may be written.
FixPlan plan_fixes(const Report& report, FixScope scope,
                   const std::function<bool(const std::string&)>& may_change, SourceCache& sources);

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_FIXES_H_
