// What the checker says of random programs, against what their runs do.
#pragma once

#include <string>
#include <vector>

#include "tests/random_programs/execution.h"
#include "tests/random_programs/program.h"

namespace placecheck::random_programs {

// A finding, of a rule that predicts an error.
struct Claim {
  std::string line;  // "main.cc:41"
  std::string text;  // "device-mismatch: ..."
};

struct Judgement {
  std::string program;
  Execution execution;
  std::vector<Claim> claims;

  bool is_failing() const { return execution.failed_runs > 0; }
  bool is_false_alarm() const { return !is_failing() && !claims.empty(); }
  bool is_missed() const { return is_failing() && claims.empty(); }
  // Claims of lines at which no run fails, of a program that fails. To be looked at, and no more:
  // behind its first error a run goes on as if the tensors had been in one place, and the checker
  // otherwise.
  std::vector<Claim> misplaced() const;
};

// Each program is judged by itself. They are written to `folder`.
std::vector<Judgement> judge(const std::vector<Program>& programs,
                             const std::map<std::string, Execution>& executions,
                             const std::string& folder);

// Writes the program's files to FOLDER/NAME.
void write(const Program& program, const std::string& folder);

// All that is known of a program, for a reader.
std::string text_of(const Judgement& judgement);

struct Counts {
  int programs = 0;
  int failing = 0;
  int found = 0;  // of the failing ones
  int false_alarms = 0;
  int misplaced = 0;  // of those found, with a claim that no run confirms

  void add(const Judgement& judgement);
  std::string text() const;
};

}  // namespace placecheck::random_programs
