#include "analyzer/bench/measure.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace placecheck::bench {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Cost measure(const std::vector<std::string>& command) {
  auto start = std::chrono::steady_clock::now();
  pid_t child = fork();
  if (child == 0) become(command);
  Cost cost;
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
    cost.exit_code = 127;
    return cost;
  }
  cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cost.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  cost.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return cost;
}

Cost measure_best(const std::vector<std::string>& command, int runs) {
  Cost best = measure(command);
  for (int i = 1; i < runs; ++i) {
    Cost next = measure(command);
    if (next.seconds < best.seconds) best = next;
  }
  return best;
}

}  // namespace placecheck::bench
