#include "tests/agreement/stack_report.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace placecheck::agreement {

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(bugprone-command-processor)
  if (pipe == nullptr) return {};
  std::string output;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) output += buffer.data();
  pclose(pipe);
  return output;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<Event> read_report(const std::filesystem::path& file, const std::string& executable) {
  std::vector<Event> events;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("  ")) {
      const std::size_t colon = line.find(": ");
      events.push_back({line.substr(0, colon), line.substr(colon + 2), {}, false});
    } else if (line.starts_with("  " + executable + "+")) {
      events.back().places.push_back(line.substr(line.rfind('+') + 1));
    }
  }
  return events;
}

std::map<std::string, std::string> places_of(const std::set<std::string>& addresses,
                                             const std::string& executable,
                                             const std::filesystem::path& file) {
  std::ofstream(file) << [&] {
    std::string text;
    for (const std::string& address : addresses) text += address + "\n";
    return text;
  }();
  const std::vector<std::string> lines =
      lines_of(output_of("addr2line -e '" + executable + "' <'" + file.string() + "'"));
  std::map<std::string, std::string> places;
  std::size_t i = 0;
  for (const std::string& address : addresses) {
    if (i == lines.size()) break;
    places[address] = lines[i++];
  }
  return places;
}

}  // namespace placecheck::agreement
