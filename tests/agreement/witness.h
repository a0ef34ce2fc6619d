// Runs fixtures on virtual devices and says which of their lines break which rules.
#pragma once

#include <string>
#include <vector>

namespace placecheck::agreement {

// One thing that went wrong in a run.
struct Event {
  std::string rule;  // "error" where no rule speaks of it
  std::string text;
  std::vector<std::string> places;  // the fixture's lines on the stack, innermost first
  bool is_effect = false;           // of the rule, as the program itself tells
};

struct Execution {
  std::string name;          // "device-mismatch/loop.cc"
  bool is_finished = false;  // main() returned
  std::vector<Event> events;
};

// Runs every program in an executable made by agreement_programs().
std::vector<Execution> run_all(const std::string& executable);

}  // namespace placecheck::agreement
