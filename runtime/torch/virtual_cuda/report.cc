#include "runtime/torch/virtual_cuda/report.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>

#include "runtime/torch/virtual_cuda/rule_error.h"

namespace placecheck::virtual_cuda {
namespace {

const char* report_file() {
  static const char* const kFile = std::getenv("PLACECHECK_TORCH_REPORT");
  return kFile;
}

// The caller's frames as module and offset of the call, innermost first.
std::string stack_text() {
  std::array<void*, 96> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  std::ostringstream text;
  for (int i = 1; i < count; ++i) {
    Dl_info info{};
    const auto address = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]);
    if (dladdr(frames[static_cast<std::size_t>(i)], &info) == 0) continue;
    const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    // One before the address of return lies in the call.
    text << "  " << info.dli_fname << "+0x" << std::hex << address - base - 1 << '\n';
  }
  return text.str();
}

}  // namespace

bool is_reporting() { return report_file() != nullptr; }

void report(std::string_view rule, std::string_view message) {
  static std::mutex mutex;
  static auto* reported = new std::set<std::string>;
  const std::string_view first_line = message.substr(0, message.find('\n'));
  std::string entry = std::string(rule) + ": " + std::string(first_line) + "\n" + stack_text();
  std::lock_guard<std::mutex> lock(mutex);
  const auto [place, is_new] = reported->insert(std::move(entry));
  if (is_new) std::ofstream(report_file(), std::ios::app) << *place;
}

void fail(const rules::Rule& rule, std::string message) {
  if (!is_reporting()) throw RuleError(rule, std::move(message));
  report(rule.id, message);
}

}  // namespace placecheck::virtual_cuda
