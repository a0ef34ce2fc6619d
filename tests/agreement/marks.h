// What fixtures say of themselves: which rules their lines break (see //tests/checks).
#pragma once

#include <set>
#include <string>
#include <vector>

namespace placecheck::agreement {

struct Mark {
  // kEffect: `// shows: RULE` where the program itself raises, or warns of, what comes of a broken
  // rule.
  enum class Kind { kFound, kMiss, kFalseAlarm, kEffect };

  std::string place;  // "device-mismatch/loop.cc:12"
  std::string rule;
  Kind kind = Kind::kFound;
};

// The marks of one file; `name` is its path below testdata/.
std::vector<Mark> marks_of(const std::string& name);

// What `// devices: N` asks for, or `otherwise`.
int devices_of(const std::string& name, int otherwise);

// How a program is run, each time once.
struct CommandLine {
  std::string environment;  // "RANKS=2 "
  std::string arguments;    // " --cuda weights.pt"
};

// `// arguments: 1 2` asks for runs with so many names of files; each `// run: A=B --flag` for one
// with these variables and arguments. One file's name, where nothing is said.
std::vector<CommandLine> command_lines_of(const std::string& name);

}  // namespace placecheck::agreement
