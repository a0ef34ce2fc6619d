#include "runtime/core/stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#if __has_include(<backtrace.h>)
#include <backtrace.h>

#include <mutex>
#endif

namespace placecheck::core {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = text == nullptr ? name : text;
  std::free(text);
  return result;
}

// What is known of one address of code. Several where functions were inlined there.
struct Call {
  std::string function;
  std::string place;  // "train.cc:41"
};

#if __has_include(<backtrace.h>)

void ignore_error(void* /*data*/, const char* /*message*/, int /*number*/) {}

int take_call(void* data, std::uintptr_t /*address*/, const char* file, int line,
              const char* function) {
  Call call;
  if (function != nullptr) call.function = demangled(function);
  if (file != nullptr) call.place = std::string(file) + ":" + std::to_string(line);
  if (function != nullptr || file != nullptr) {
    static_cast<std::vector<Call>*>(data)->push_back(std::move(call));
  }
  return 0;
}

void take_symbol(void* data, std::uintptr_t /*address*/, const char* name, std::uintptr_t /*value*/,
                 std::uintptr_t /*size*/) {
  if (name != nullptr) *static_cast<std::string*>(data) = demangled(name);
}

// How often libraries were loaded by now.
unsigned long long loads() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t /*size*/, void* data) {
        *static_cast<unsigned long long*>(data) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

// libbacktrace knows the libraries that were loaded when its state was made, and cannot give a
// state back: another one is made where there are more.
backtrace_state* current_state() {
  static std::mutex mutex;
  static backtrace_state* state = nullptr;
  static unsigned long long known_loads = 0;
  std::lock_guard<std::mutex> lock(mutex);
  const unsigned long long now = loads();
  if (state == nullptr || now != known_loads) {
    state = backtrace_create_state(nullptr, /*threaded=*/1, ignore_error, nullptr);
    known_loads = now;
  }
  return state;
}

std::vector<Call> calls_at(std::uintptr_t address) {
  std::vector<Call> calls;
  backtrace_state* state = current_state();
  if (state == nullptr) return calls;
  backtrace_pcinfo(state, address, take_call, ignore_error, &calls);
  if (calls.empty()) calls.emplace_back();
  // Of the function into which the others were inlined the symbol's name says more.
  backtrace_syminfo(state, address, take_symbol, ignore_error, &calls.back().function);
  return calls;
}

#else

std::vector<Call> calls_at(std::uintptr_t /*address*/) { return {}; }

#endif

// To read the debug information of a large program takes seconds.
bool has_symbols() {
  const char* variable = std::getenv("PLACECHECK_SYMBOLS");
  return variable == nullptr || std::string_view(variable) != "0";
}

// From here on outwards the lines of Python say more than the frames of its interpreter.
bool is_python_evaluation(const Dl_info& info) {
  return info.dli_sname != nullptr &&
         std::string_view(info.dli_sname) == "_PyEval_EvalFrameDefault";
}

// The frames of one address of return.
void write_frames(std::ostream& text, const void* frame, const Dl_info& info) {
  // One before it lies in the call.
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(frame) - 1;
  std::vector<Call> calls(1);
  if (has_symbols()) {
    calls = calls_at(address);
    if (calls.empty()) calls.emplace_back();
    if (calls.back().function.empty() && info.dli_sname != nullptr) {
      calls.back().function = demangled(info.dli_sname);
    }
  }
  std::ostringstream module;
  module << info.dli_fname << "+0x" << std::hex
         << address - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  for (const Call& call : calls) {
    text << "  ";
    if (call.function.empty()) {
      text << module.str() << '\n';
      continue;
    }
    text << "in " << call.function;
    if (!call.place.empty()) text << " at " << call.place;
    text << " (" << module.str() << ")\n";
  }
}

// The function that returns to `frame`, and what is inlined there, outermost first.
std::vector<Call> chain_of(const void* frame) {
  std::vector<Call> calls = calls_at(reinterpret_cast<std::uintptr_t>(frame) - 1);
  std::ranges::reverse(calls);
  return calls;
}

// Empty where they part by being at different lines of one function, rather than in what one line
// calls.
std::string line_where_they_part(const std::vector<Call>& a, const std::vector<Call>& b) {
  std::string line;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].function != b[i].function) break;
    if (a[i].place != b[i].place) return {};
    line = a[i].place;
  }
  return line;
}

}  // namespace

// Not inlined: its own frame and that of who calls it are the two that are left out.
[[gnu::noinline]] void StackAddresses::capture() {
  count_ = static_cast<std::size_t>(backtrace(frames_.data(), static_cast<int>(frames_.size())));
}

std::string StackAddresses::text(const void* hidden) const {
  std::ostringstream text;
  for (std::size_t i = 2; i < count_; ++i) {
    Dl_info info{};
    const void* frame = frames_[i];
    if (frame == hidden || dladdr(frame, &info) == 0) continue;
    if (is_python_evaluation(info)) break;
    write_frames(text, frame, info);
  }
  return text.str();
}

std::size_t StackAddresses::hash() const {
  // FNV-1a, by words.
  std::size_t hash = 14695981039346656037U;
  for (std::size_t i = 2; i < count_; ++i) {
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames_[i])) * 1099511628211U;
  }
  return hash;
}

std::string StackAddresses::common_line(const StackAddresses& other) const {
  // What was cut off would be compared with what it is not.
  if (count_ == frames_.size() || other.count_ == other.frames_.size()) return {};
  std::size_t here = count_;
  std::size_t there = other.count_;
  while (here > 0 && there > 0 && frames_[here - 1] == other.frames_[there - 1]) {
    --here;
    --there;
  }
  if (here == 0 || there == 0 || here == count_) return {};
  const std::vector<Call> calls = chain_of(frames_[here - 1]);
  return line_where_they_part(calls, chain_of(other.frames_[there - 1]));
}

std::string stack_text(const void* hidden) {
  StackAddresses stack;
  stack.capture();
  return stack.text(hidden);
}

}  // namespace placecheck::core
