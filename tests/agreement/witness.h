// Runs fixtures on virtual devices and says which of their lines break which rules.
#pragma once

#include <string>
#include <vector>

#include "tests/agreement/stack_report.h"

namespace placecheck::agreement {

struct Execution {
  std::string name;          // "device-mismatch/loop.cc"
  bool is_finished = false;  // main() returned
  std::vector<Event> events;
};

// Runs every program in an executable made by agreement_programs().
std::vector<Execution> run_all(const std::string& executable);

}  // namespace placecheck::agreement
