// Runs another program and says what it cost.
//
// Threads: one call at a time. Errors: a program that cannot be started has exit code 127.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace placecheck::bench {

struct Cost {
  double seconds = 0;
  double cpu_seconds = 0;
  double megabytes = 0;  // at the peak, of it or of the largest of its children
  int exit_code = 0;
};

// What it prints is thrown away.
Cost measure(const std::vector<std::string>& command);

// The least of several runs: what else the machine does only adds.
Cost measure_best(const std::vector<std::string>& command, int runs);

}  // namespace placecheck::bench
