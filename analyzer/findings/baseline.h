// A baseline: findings known and accepted when a project began to be checked. They are remembered
// by fingerprints that survive moved lines: rule, file, the line's text without its spacing, and
// which of several equal ones it is. Not thread-safe (reads through a SourceCache).
#ifndef PLACECHECK_ANALYZER_FINDINGS_BASELINE_H_
#define PLACECHECK_ANALYZER_FINDINGS_BASELINE_H_

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
}

namespace placecheck::findings {

// One fingerprint for each finding of the (ordered) report: 16 hexadecimal digits.
std::vector<std::string> fingerprints(const Report& report, SourceCache& sources);

class Baseline {
 public:
  Baseline() = default;
  // Knows all findings of the (ordered) report.
  Baseline(const Report& report, SourceCache& sources);

  // From the JSON text that write_baseline made.
  static llvm::Expected<Baseline> parse(llvm::StringRef text);
  static llvm::Expected<Baseline> read_file(llvm::StringRef path);

  std::size_t size() const { return entries_.size(); }
  bool contains(llvm::StringRef fingerprint) const { return known_.contains(fingerprint); }

  // Forgets the entries of `checked` files (as in the report) that are no longer found in `report`,
  // which the baseline was not applied to yet; returns how many.
  std::size_t shrink(const Report& report, const std::set<std::string>& checked,
                     SourceCache& sources);

  void write(llvm::raw_ostream& out) const;

 private:
  struct Entry {
    std::string fingerprint;
    std::string rule;
    std::string file;
    std::string message;
  };

  std::vector<Entry> entries_;
  llvm::StringSet<> known_;
};

void write_baseline(const Report& report, SourceCache& sources, llvm::raw_ostream& out);

// Removes the known findings and counts them in `report.baselined`.
void apply_baseline(const Baseline& baseline, Report& report, SourceCache& sources);

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_BASELINE_H_
