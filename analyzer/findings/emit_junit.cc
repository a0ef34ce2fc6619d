#include <algorithm>
#include <map>
#include <vector>

#include "analyzer/findings/emitters.h"
#include "analyzer/findings/printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::findings {
namespace {

// XML has no form for control characters.
std::string escaped(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(printable_text(text), out);
  return result;
}

// A file is a test case: what was found in it are its failures.
struct TestCase {
  std::vector<const Finding*> findings;
  std::string error;  // why it could not be checked
};

class JunitWriter {
 public:
  JunitWriter(const Report& report, llvm::raw_ostream& out) : out_(out) {
    for (const FileReport& file : report.files) {
      TestCase& test = cases_[relative_path(file.path, report.root)];
      if (file.status == Understanding::kNot) test.error = describe(file);
    }
    for (const Finding& finding : report.findings)
      cases_[relative_path(finding.range.file, report.root)].findings.push_back(&finding);
  }

  void write() {
    const auto count = [&](auto holds) {
      return std::ranges::count_if(cases_, [&](const auto& each) { return holds(each.second); });
    };
    const auto failures = count([](const TestCase& test) { return !test.findings.empty(); });
    const auto errors =
        count([](const TestCase& test) { return test.findings.empty() && !test.error.empty(); });
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
         << "  <testsuite name=\"placecheck\" tests=\"" << cases_.size() << "\" failures=\""
         << failures << "\" errors=\"" << errors << "\">\n";
    for (const auto& [path, test] : cases_) write_case(path, test);
    out_ << "  </testsuite>\n</testsuites>\n";
  }

 private:
  void write_case(const std::string& path, const TestCase& test) {
    out_ << "    <testcase classname=\"placecheck\" name=\"" << escaped(path) << "\" file=\""
         << escaped(path) << "\">\n";
    if (!test.findings.empty())
      write_failure(path, test.findings);
    else if (!test.error.empty())
      out_ << "      <error message=\"" << escaped(test.error) << "\"/>\n";
    out_ << "    </testcase>\n";
  }

  // Readers of the format take one failure for each case.
  void write_failure(const std::string& path, const std::vector<const Finding*>& found) {
    const Finding& first = *found.front();
    out_ << "      <failure type=\"" << escaped(first.rule) << "\" message=\""
         << escaped(first.message);
    if (found.size() > 1) out_ << " (and " << found.size() - 1 << " more)";
    out_ << "\">";
    for (const Finding* finding : found) {
      out_ << escaped(path) << ':' << std::max(finding->range.line, 1u) << ": "
           << escaped(finding->message) << " [" << escaped(finding->rule) << "]\n";
      if (!finding->scenarios.empty())
        out_ << "  only with: " << escaped(scenario_text(*finding)) << '\n';
      if (!finding->predicted_error.empty())
        out_ << "  at run time: " << escaped(finding->predicted_error) << '\n';
      if (!finding->fix.empty()) out_ << "  fix: " << escaped(finding->fix) << '\n';
    }
    out_ << "</failure>\n";
  }

  llvm::raw_ostream& out_;
  std::map<std::string, TestCase> cases_;
};

}  // namespace

void emit_junit(const Report& report, llvm::raw_ostream& out) { JunitWriter(report, out).write(); }

}  // namespace placecheck::findings
