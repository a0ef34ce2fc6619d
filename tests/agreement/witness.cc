#include "tests/agreement/witness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "tests/agreement/marks.h"

namespace placecheck::agreement {
namespace {

namespace fs = std::filesystem;

// More than fixtures name that do not say how many there are.
constexpr int kManyDevices = 8;

// A program in `folder`, which has what its earlier runs left there.
bool run(const std::string& executable, const std::string& name, const fs::path& folder,
         const CommandLine& line) {
  const std::string command =
      "cd '" + folder.string() + "' && env -u CUDA_VISIBLE_DEVICES OMP_NUM_THREADS=1 " +
      "PLACECHECK_TORCH_REPORT=report PLACECHECK_CUDA_REPORT=report " +
      "PLACECHECK_VIRTUAL_DEVICES=" + std::to_string(devices_of(name, kManyDevices)) +
      " PLACECHECK_SYMBOLS=0 " + line.environment + "timeout 60 '" + executable + "' '" + name +
      "'" + line.arguments + " </dev/null >output 2>&1";
  return std::system(command.c_str()) == 0;  // NOLINT(bugprone-command-processor)
}

// "/…/testdata/a/b.cc:12 (discriminator 3)" as "a/b.cc:12"; empty for other files.
std::string fixture_place(const std::string& place) {
  constexpr std::string_view kFolder = "testdata/";
  const std::size_t at = place.rfind(kFolder);
  if (at == std::string::npos) return {};
  std::string in_fixture = place.substr(at + kFolder.size());
  return in_fixture.substr(0, in_fixture.find(' '));
}

void find_places(std::vector<Execution>& runs, const std::string& executable,
                 const fs::path& folder) {
  std::set<std::string> addresses;
  for (const Execution& run : runs) {
    for (const Event& event : run.events) {
      addresses.insert(event.places.begin(), event.places.end());
    }
  }
  const auto places = places_of(addresses, executable, folder / "addresses");
  for (Execution& run : runs) {
    for (Event& event : run.events) {
      std::vector<std::string> found;
      for (const std::string& address : event.places) {
        const auto place = places.find(address);
        std::string line = place == places.end() ? "" : fixture_place(place->second);
        if (!line.empty() && line.find("agreement_") != 0) found.push_back(std::move(line));
      }
      event.places = std::move(found);
    }
  }
}

}  // namespace

std::vector<Execution> run_all(const std::string& executable) {
  const fs::path folder =
      fs::path(testing::TempDir()) / "agreement" / fs::path(executable).filename();
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::vector<Execution> runs;
  for (const std::string& name : lines_of(output_of("'" + executable + "' --list"))) {
    Execution result{.name = name, .is_finished = true, .events = {}};
    const fs::path own = folder / std::to_string(runs.size());
    fs::create_directories(own);
    for (const CommandLine& line : command_lines_of(name)) {
      if (!run(executable, name, own, line)) result.is_finished = false;
    }
    result.events = read_report(own / "report", executable);
    runs.push_back(std::move(result));
  }
  find_places(runs, executable, folder);
  return runs;
}

}  // namespace placecheck::agreement
