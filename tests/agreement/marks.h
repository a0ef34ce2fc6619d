// What fixtures say of themselves: which rules their lines break (see //tests/checks).
#pragma once

#include <set>
#include <string>
#include <vector>

namespace placecheck::agreement {

struct Mark {
  enum class Kind { kFound, kMiss, kFalseAlarm };

  std::string place;  // "device-mismatch/loop.cc:12"
  std::string rule;
  Kind kind = Kind::kFound;
};

// The marks of one file; `name` is its path below testdata/.
std::vector<Mark> marks_of(const std::string& name);

// What `// devices: N` asks for, or `otherwise`.
int devices_of(const std::string& name, int otherwise);

// The numbers of arguments that `// arguments: N M` asks a program to be run with; one where it
// does not say.
std::vector<int> argument_counts_of(const std::string& name);

}  // namespace placecheck::agreement
