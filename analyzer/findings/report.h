// All that a run has to say: its findings, and how well each file was understood. Plain values.
#ifndef PLACECHECK_ANALYZER_FINDINGS_REPORT_H_
#define PLACECHECK_ANALYZER_FINDINGS_REPORT_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/dataflow/place_table.h"
#include "analyzer/findings/finding.h"

namespace placecheck::findings {

enum class Understanding {
  kFully,
  kPartly,  // parsed with errors: the intact parts were checked
  kNot,     // nothing could be made of it
};

struct FileReport {
  std::string path{};
  Understanding status = Understanding::kFully;
  unsigned errors = 0;
  std::string first_error{};
  std::vector<std::string>
      left_out{};  // functions that could not be analysed, each with the reason
};

// How much is known of the tensor operations of a file.
struct FileCoverage {
  std::string path{};
  std::size_t operations = 0;  // that combine several values
  std::size_t understood = 0;  // of these, the ones whose values' places are known
  std::vector<std::pair<unsigned, unsigned>> unknown{};  // lines and columns of the others
};

struct UnmodelledCall {
  std::string name{};
  std::size_t count = 0;
};

// Of which not every path was followed, or not for every input.
struct LargeFunction {
  std::string name{};
  std::string path{};
  unsigned line = 0;
};

struct FilePosition {
  std::string path{};
  unsigned line = 0;
};

// Of extensions: the functions that Python or a dispatcher calls, and the launches of kernels.
struct ExtensionCoverage {
  std::size_t exported_functions = 0;
  std::size_t launches = 0;
  std::size_t reached_launches = 0;  // from an exported function
  std::vector<FilePosition> unreached{};
};

struct Report {
  std::vector<Finding> findings{};  // ordered; see order_and_deduplicate
  std::vector<FileReport> files{};
  std::size_t suppressed = 0;            // by comments
  std::size_t baselined = 0;             // known from the baseline
  std::vector<FileCoverage> coverage{};  // of sources and headers, by path
  std::vector<UnmodelledCall>
      unmodelled{};                      // what unknown places come from, the most frequent first
  std::vector<std::string> too_large{};  // programs of which not every path was followed
  std::vector<LargeFunction> large_functions{};  // of these programs, by path and line
  ExtensionCoverage extensions{};
  // Severities that the project chose, by rule and file.
  std::map<std::pair<std::string, std::string>, rules::Severity> severities{};
  std::size_t fixed = 0;      // by --fix, and no longer among the findings
  std::size_t unchanged = 0;  // left out: neither on changed lines nor caused by a change
  std::string root{};         // absolute folder that output paths are made relative to; or empty
  dataflow::PlaceTable places{};  // where the values are, for a form that shows it
};

// What the project chose for a finding's rule in its file, or the finding's own, if anything.
std::optional<rules::Severity> chosen_severity(const Report& report, const Finding& finding);

// The chosen severity, or that of the rule.
rules::Severity severity_of(const Report& report, const Finding& finding);

struct Totals {
  std::size_t findings = 0;
  std::size_t files = 0;
  std::size_t fully = 0;
  std::size_t partly = 0;
  std::size_t not_understood = 0;
  std::size_t left_out = 0;  // functions
  std::size_t operations = 0;
  std::size_t known_operations = 0;
};

Totals totals(const Report& report);

// At how many of 100 operations places are known, rounded down; 100 where there are no operations.
unsigned known_percent(const Totals& sum);

// "only partly understood (3 errors, first: …)" or "not understood: …"; empty for kFully.
std::string describe(const FileReport& file);

// "2 findings in 12 files (1 only partly understood, 1 not understood); 3 suppressed; places known
// at 40 of 50 operations (80 %)".
std::string summary_line(const Report& report);

// "unknown places come from calls without a model: f (3), g (1)"; empty where there is no gap.
std::string gap_line(const Report& report);

// `path` relative to `root` where it lies below it, with forward slashes; else as it is.
std::string relative_path(const std::string& path, const std::string& root);

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_REPORT_H_
