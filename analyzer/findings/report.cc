#include "analyzer/findings/report.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

namespace placecheck::findings {
namespace {

constexpr std::size_t kNamedGaps = 5;
constexpr std::size_t kNamedFunctions = 3;

std::string count_of(std::size_t count, llvm::StringRef singular) {
  return std::to_string(count) + " " + singular.str() + (count == 1 ? "" : "s");
}

// " in f, g and 3 more functions"; empty where none is known.
std::string large_functions_text(const Report& report) {
  const std::vector<LargeFunction>& all = report.large_functions;
  if (all.empty()) return "";
  std::string text = " in ";
  for (std::size_t i = 0; i < all.size() && i < kNamedFunctions; ++i)
    text += (i > 0 ? ", " : "") + all[i].name;
  if (all.size() > kNamedFunctions)
    text += " and " + count_of(all.size() - kNamedFunctions, "more function");
  return text;
}

}  // namespace

std::optional<rules::Severity> chosen_severity(const Report& report, const Finding& finding) {
  const auto found = report.severities.find({finding.rule, finding.range.file});
  if (found == report.severities.end()) return finding.severity;
  return found->second;
}

rules::Severity severity_of(const Report& report, const Finding& finding) {
  const rules::Rule* row = find_row(finding.rule);
  const rules::Severity own = row ? row->severity : rules::Severity::kWarning;
  return chosen_severity(report, finding).value_or(own);
}

unsigned known_percent(const Totals& sum) {
  if (sum.operations == 0) return 100;
  return static_cast<unsigned>(100 * sum.known_operations / sum.operations);
}

Totals totals(const Report& report) {
  Totals sum;
  sum.findings = report.findings.size();
  sum.files = report.files.size();
  for (const FileReport& file : report.files) {
    sum.fully += file.status == Understanding::kFully;
    sum.partly += file.status == Understanding::kPartly;
    sum.not_understood += file.status == Understanding::kNot;
    sum.left_out += file.left_out.size();
  }
  for (const FileCoverage& file : report.coverage) {
    sum.operations += file.operations;
    sum.known_operations += file.understood;
  }
  return sum;
}

std::string describe(const FileReport& file) {
  switch (file.status) {
    case Understanding::kFully:
      return "";
    case Understanding::kPartly:
      return "only partly understood (" + count_of(file.errors, "error") +
             (file.first_error.empty() ? "" : ", first: " + file.first_error) + ")";
    case Understanding::kNot:
      return "not understood" + (file.first_error.empty() ? "" : ": " + file.first_error);
  }
  return "";
}

std::string summary_line(const Report& report) {
  const Totals sum = totals(report);
  std::string line = sum.findings == 0 ? "no findings" : count_of(sum.findings, "finding");
  line += " in " + count_of(sum.files, "file");
  std::string gaps;
  if (sum.partly > 0) gaps += std::to_string(sum.partly) + " only partly understood";
  if (sum.not_understood > 0) {
    gaps += (gaps.empty() ? "" : ", ") + std::to_string(sum.not_understood) + " not understood";
  }
  const auto add_gap = [&](const std::string& gap) { gaps += (gaps.empty() ? "" : ", ") + gap; };
  if (sum.left_out > 0) add_gap(count_of(sum.left_out, "function") + " left out");
  if (!report.too_large.empty())
    add_gap(count_of(report.too_large.size(), "program") + " too large to follow every path" +
            large_functions_text(report));
  if (!gaps.empty()) line += " (" + gaps + ")";
  if (report.suppressed > 0) line += "; " + std::to_string(report.suppressed) + " suppressed";
  if (report.baselined > 0) {
    line += "; " + std::to_string(report.baselined) + " known from the baseline";
  }
  if (report.unchanged > 0) line += "; " + std::to_string(report.unchanged) + " not of the change";
  if (sum.operations > 0) {
    line += "; places known at " + std::to_string(sum.known_operations) + " of " +
            count_of(sum.operations, "operation") + " (" + std::to_string(known_percent(sum)) +
            " %)";
  }
  return line;
}

std::string gap_line(const Report& report) {
  const Totals sum = totals(report);
  if (sum.known_operations == sum.operations || report.unmodelled.empty()) return "";
  std::string line = "unknown places come from calls without a model: ";
  for (std::size_t i = 0; i < report.unmodelled.size() && i < kNamedGaps; ++i) {
    const UnmodelledCall& call = report.unmodelled[i];
    line += (i > 0 ? ", " : "") + call.name + " (" + std::to_string(call.count) + ")";
  }
  return line;
}

std::string relative_path(const std::string& path, const std::string& root) {
  llvm::SmallString<256> clean(path);
  llvm::sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
  llvm::SmallString<256> base(root);
  llvm::sys::path::remove_dots(base, /*remove_dot_dot=*/true);
  llvm::StringRef rest = clean.str();
  const bool below = !base.empty() && rest.consume_front(base.str()) &&
                     (base.ends_with("/") || rest.consume_front("/"));
  return llvm::sys::path::convert_to_slash(below ? rest : clean.str());
}

}  // namespace placecheck::findings
