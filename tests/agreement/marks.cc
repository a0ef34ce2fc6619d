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

std::vector<int> argument_counts_of(const std::string& name) {
  constexpr std::string_view kTag = "// arguments: ";
  std::vector<int> counts;
  std::ifstream text("testdata/" + name);
  for (std::string line; counts.empty() && std::getline(text, line);) {
    if (!line.starts_with(kTag)) continue;
    std::istringstream words(line.substr(kTag.size()));
    for (int count = 0; words >> count;) counts.push_back(count);
  }
  return counts.empty() ? std::vector<int>{1} : counts;
}

}  // namespace placecheck::agreement
