// The checker as a test sees it: lowers files once, then judges any group of them as a program.
//
// Ownership: keeps the lowered units. Threads: judge() may be called by one thread at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/checks/analyze.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/report.h"
#include "analyzer/lowering.h"

namespace placecheck::checks {

class Pipeline {
 public:
  // `root` holds the files; what is shared between them is kept in `cache` while this runs.
  Pipeline(const std::string& root, const std::vector<std::string>& files, const std::string& cache,
           const std::vector<std::string>& extra_flags = {});

  // The findings in the programs that the files make together, in the order of the report.
  std::vector<findings::Finding> judge(const std::vector<std::string>& files,
                                       const AnalyzeOptions& options = {}) const;
  const findings::FileReport& report_of(const std::string& file) const;
  // The project's files that `file` is made of, itself first.
  const std::vector<std::string>& parts_of(const std::string& file) const;

 private:
  std::map<std::string, LoweredFile> lowered_;
};

// The file includes CUDA's or NCCL's headers, which this machine need not have.
bool lacks_toolkit(const findings::FileReport& report);

// Whole text of a file.
std::string text_of(const std::string& file);

// An empty folder of the test's own.
std::string test_folder(const std::string& name);

// The same, real, with the headers of this project that programs may include.
std::string project_folder(const std::string& name);

}  // namespace placecheck::checks
