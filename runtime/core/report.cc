#include "runtime/core/report.h"

#include <fstream>
#include <sstream>
#include <utility>

namespace placecheck::core {

namespace {

// The first line, and each explanation below it ("placecheck: ...") as a note. What else PyTorch
// writes under an error is the same for all.
std::string entry_of(std::string_view rule, std::string_view message) {
  constexpr std::string_view kExplanation = "placecheck: ";
  std::istringstream lines{std::string(message)};
  std::string line;
  std::getline(lines, line);
  std::string entry = std::string(rule) + ": " + line + "\n";
  while (std::getline(lines, line)) {
    if (line.starts_with(kExplanation)) {
      entry += "  note: " + line.substr(kExplanation.size()) + "\n";
    }
  }
  return entry;
}

}  // namespace

void Report::add(std::string_view rule, std::string_view message, const std::string& stack) {
  if (!is_on()) return;
  std::string entry = entry_of(rule, message) + stack;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto [place, is_new] = reported_.insert(std::move(entry));
  if (is_new) std::ofstream(file_, std::ios::app) << *place;
}

}  // namespace placecheck::core
