#include "analyzer/fixing.h"

#include <algorithm>
#include <set>

#include "analyzer/files/regular_file.h"
#include "analyzer/findings/line_diff.h"
#include "analyzer/output.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace placecheck {
namespace {

namespace fs = llvm::sys::fs;

// Behind links: what a link names is changed, the link stays. The file keeps its permissions.
std::string replace_file(const std::string& file, const std::string& text,
                         llvm::StringRef read_before) {
  llvm::SmallString<256> real;
  if (fs::real_path(file, real)) return "cannot fix " + file + ": it is gone";
  auto now = files::read_regular_file(real, files::kMaxSource);
  if (!now || (*now)->getBuffer() != read_before)
    return "cannot fix " + file + ": it was changed meanwhile";
  auto permissions = fs::getPermissions(real);
  if (!permissions || !fs::can_write(real)) return "cannot fix " + file + ": it is read-only";
  return write_file(real.str().str(), text, *permissions);
}

}  // namespace

std::vector<std::string> write_fixes(const findings::FixPlan& plan, findings::Report& report,
                                     findings::SourceCache& sources) {
  std::vector<std::string> errors;
  std::set<std::string> failed;
  for (const auto& [file, text] : plan.files) {
    std::string error = replace_file(file, text, sources.contents(file));
    if (error.empty()) continue;
    failed.insert(file);
    errors.push_back(std::move(error));
  }
  std::set<const findings::Finding*> mended;
  for (const findings::Finding* finding : plan.applied) {
    const bool all_written = std::ranges::none_of(
        finding->fix_its, [&](const auto& fix_it) { return failed.count(fix_it.range.file) != 0; });
    if (all_written) mended.insert(finding);
  }
  std::vector<findings::Finding> left;
  for (findings::Finding& finding : report.findings) {
    if (mended.count(&finding) == 0) left.push_back(std::move(finding));
  }
  report.fixed = mended.size();
  report.findings = std::move(left);
  return errors;
}

std::string diff_of(const findings::FixPlan& plan, const std::string& root,
                    findings::SourceCache& sources) {
  std::string text;
  for (const auto& [file, after] : plan.files)
    text +=
        findings::unified_diff(findings::relative_path(file, root), sources.contents(file), after);
  return text;
}

std::string place_of(const findings::Finding& finding, const std::string& root) {
  return findings::relative_path(finding.range.file, root) + ":" +
         std::to_string(finding.range.line);
}

}  // namespace placecheck
