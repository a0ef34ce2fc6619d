#include "tests/agreement/marks.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

namespace placecheck::agreement {
namespace {

void add_marks(const std::string& line, std::string_view tag, const std::string& place,
               Mark::Kind kind, std::vector<Mark>& to) {
  const std::size_t at = line.find(tag);
  if (at == std::string::npos) return;
  std::string rules = line.substr(at + tag.size());
  std::replace(rules.begin(), rules.end(), ',', ' ');
  std::istringstream words(rules);
  for (std::string rule; words >> rule && rule.find('-') != std::string::npos;) {
    to.push_back({place, rule, kind});
  }
}

std::vector<int> numbers_in(const std::string& text) {
  std::vector<int> numbers;
  std::istringstream words(text);
  for (int number = 0; words >> number;) numbers.push_back(number);
  return numbers;
}

std::string with_file_names(int count) {
  std::string arguments;
  for (int i = 0; i < count; ++i) arguments += " weights.pt";
  return arguments;
}

// As in a shell: variables come first.
CommandLine parse_run(const std::string& text) {
  CommandLine run;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool is_variable = run.arguments.empty() && word.find('=') != std::string::npos;
    if (is_variable) {
      run.environment += word + " ";
    } else {
      run.arguments += " " + word;
    }
  }
  return run;
}

}  // namespace

std::vector<Mark> marks_of(const std::string& name) {
  std::vector<Mark> marks;
  std::ifstream text("testdata/" + name);
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    const std::string place = name + ":" + std::to_string(++number);
    add_marks(line, "// expect: ", place, Mark::Kind::kFound, marks);
    add_marks(line, "// expect-miss: ", place, Mark::Kind::kMiss, marks);
    add_marks(line, "// expect-false-alarm: ", place, Mark::Kind::kFalseAlarm, marks);
    add_marks(line, "// shows: ", place, Mark::Kind::kEffect, marks);
  }
  return marks;
}

int devices_of(const std::string& name, int otherwise) {
  constexpr std::string_view kTag = "// devices: ";
  std::ifstream text("testdata/" + name);
  for (std::string line; std::getline(text, line);) {
    const std::size_t at = line.find(kTag);
    if (at != std::string::npos) return std::stoi(line.substr(at + kTag.size()));
  }
  return otherwise;
}

std::vector<CommandLine> command_lines_of(const std::string& name) {
  constexpr std::string_view kCounts = "// arguments: ";
  constexpr std::string_view kRun = "// run:";
  std::vector<CommandLine> runs;
  std::ifstream text("testdata/" + name);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with(kCounts)) {
      for (const int count : numbers_in(line.substr(kCounts.size()))) {
        runs.push_back({"", with_file_names(count)});
      }
    } else if (line.starts_with(kRun)) {
      runs.push_back(parse_run(line.substr(kRun.size())));
    }
  }
  return runs.empty() ? std::vector<CommandLine>{{"", with_file_names(1)}} : runs;
}

}  // namespace placecheck::agreement
