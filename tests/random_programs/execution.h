// Runs a batch of programs and reads what their runs report.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace placecheck::random_programs {

// Of a program, over all choices of its inputs.
struct Execution {
  int runs = 0;
  int failed_runs = 0;
  // The first error of each run that failed, with the innermost line: "main.cc:41 device-mismatch:
  // Expected all tensors ...".
  std::set<std::string> errors;
  // All lines on the stacks of all errors, since a run goes on behind an error that a rule tells
  // of: "main.cc:41".
  std::set<std::string> lines;
};

// By the programs' names. `batch` is an absolute path; the runs are left in `folder`.
std::map<std::string, Execution> execute(const std::string& runner, const std::string& batch,
                                         const std::string& folder);

}  // namespace placecheck::random_programs
