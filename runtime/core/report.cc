#include "runtime/core/report.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <utility>

namespace placecheck::core {

std::string stack_text(const void* hidden) {
  std::array<void*, 96> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  std::ostringstream text;
  for (int i = 1; i < count; ++i) {
    Dl_info info{};
    const void* frame = frames[static_cast<std::size_t>(i)];
    if (frame == hidden || dladdr(frame, &info) == 0) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(frame);
    const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    // One before the address of return lies in the call.
    text << "  " << info.dli_fname << "+0x" << std::hex << address - base - 1 << '\n';
  }
  return text.str();
}

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
