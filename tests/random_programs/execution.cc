#include "tests/random_programs/execution.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "rules/catalog.h"
#include "tests/agreement/stack_report.h"

namespace placecheck::random_programs {
namespace {

namespace fs = std::filesystem;

struct OneRun {
  std::string program;
  bool is_finished = false;
  std::vector<agreement::Event> events;
};

std::vector<OneRun> run_batch(const std::string& runner, const std::string& batch,
                              const fs::path& folder) {
  const fs::path list = folder / "runs.txt";
  // One thread, since the programs are small. The list of visible devices is the programs' own.
  const std::string command =
      "env -u CUDA_VISIBLE_DEVICES OMP_NUM_THREADS=1 "
      "PLACECHECK_TORCH_REPORT=report PLACECHECK_CUDA_REPORT=report "
      "PLACECHECK_VIRTUAL_DEVICES=2 PLACECHECK_SYMBOLS=0 '" +
      runner + "' '" + batch + "' '" + folder.string() + "' >'" + list.string() + "'";
  std::vector<OneRun> runs;
  if (std::system(command.c_str()) != 0) return runs;  // NOLINT(bugprone-command-processor)
  std::ifstream in(list);
  std::string program;
  int number = 0;
  int status = 0;
  while (in >> program >> number >> status) {
    const fs::path report = folder / program / std::to_string(number) / "report";
    runs.push_back({program, status == 0, agreement::read_report(report, batch)});
  }
  return runs;
}

// "/.../program_17/main.cc:12" as "main.cc:12"; empty for what is not of the program.
std::string line_in(const std::string& program, const std::string& place) {
  const std::size_t at = place.rfind(program + "/");
  if (at == std::string::npos) return {};
  const std::string line = place.substr(at + program.size() + 1);
  return line.substr(0, line.find(' '));
}

// Others tell of what goes wrong later, or not at all.
bool is_error(const agreement::Event& event) {
  const rules::Rule* rule = rules::find_rule(event.rule);
  return rule == nullptr ? event.rule == "error" : rule->severity == rules::Severity::kError;
}

void add(const OneRun& run, const std::map<std::string, std::string>& places, Execution& to) {
  std::string first = run.is_finished ? "" : "it did not end";
  bool is_first = true;
  for (const agreement::Event& event : run.events) {
    if (!is_error(event)) continue;
    std::string innermost;
    for (const std::string& address : event.places) {
      const auto place = places.find(address);
      const std::string line = place == places.end() ? "" : line_in(run.program, place->second);
      if (innermost.empty()) innermost = line;
      if (!line.empty()) to.lines.insert(line);
    }
    if (std::exchange(is_first, false)) first = innermost + " " + event.rule + ": " + event.text;
  }
  ++to.runs;
  if (first.empty()) return;
  ++to.failed_runs;
  to.errors.insert(first);
}

}  // namespace

std::map<std::string, Execution> execute(const std::string& runner, const std::string& batch,
                                         const std::string& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::vector<OneRun> runs = run_batch(runner, batch, folder);
  std::set<std::string> addresses;
  for (const OneRun& run : runs) {
    for (const agreement::Event& event : run.events) {
      addresses.insert(event.places.begin(), event.places.end());
    }
  }
  const auto places = agreement::places_of(addresses, batch, fs::path(folder) / "addresses");
  std::map<std::string, Execution> executions;
  for (const OneRun& run : runs) add(run, places, executions[run.program]);
  return executions;
}

}  // namespace placecheck::random_programs
