#include "runtime/devices/environment.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "rules/visible_devices.h"
#include "runtime/devices/machine.h"

namespace placecheck::devices {

// Of the process, like the machine (machine.cc): where two libraries stand one behind the other,
// the first tells.
[[gnu::visibility("default")]] inline std::atomic<bool> is_being_told{false};

namespace {

namespace rule = rules::visible_devices;
using rules::Trait;
using rules::Verdict;

std::atomic<EnvironmentObserver> observer{nullptr};

// Of what the list is set to; empty where nothing is wrong.
std::string mistake_in(std::string_view list) {
  const std::string set = std::string(rule::kVariable) + " is set to '" + std::string(list) + "'";
  const char* now = std::getenv(rule::kVariable.data());
  const bool is_change = now == nullptr || list != now;
  const Trait started = is_change && has_counted_devices() ? Trait::kYes : Trait::kNo;
  if (rule::judge_time(started) == Verdict::kBroken) {
    return set + " after CUDA has counted its devices: no effect";
  }
  if (rule::judge(list) == Verdict::kBroken) {
    return set + ": CUDA reads " + std::to_string(rule::count(list)) + " devices from it";
  }
  return {};
}

class Telling {
 public:
  Telling() : is_first_(!is_being_told.exchange(true)) {}
  ~Telling() {
    if (is_first_) is_being_told = false;
  }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

  void tell(std::string_view function, const char* list) const {
    const EnvironmentObserver told = observer;
    if (!is_first_ || told == nullptr || list == nullptr) return;
    const std::string message = mistake_in(list);
    if (!message.empty()) told(rule::kRule, function, message);
  }

 private:
  bool is_first_;
};

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void set_environment_observer(EnvironmentObserver told) { observer = told; }

}  // namespace placecheck::devices

extern "C" {

int setenv(const char* name, const char* value, int overwrites) noexcept {
  static auto* const kNext =
      placecheck::devices::next<int(const char*, const char*, int)>("setenv");
  const placecheck::devices::Telling telling;
  const bool is_list = name == placecheck::rules::visible_devices::kVariable;
  if (is_list && (overwrites != 0 || std::getenv(name) == nullptr)) telling.tell("setenv", value);
  return kNext(name, value, overwrites);
}

int putenv(char* entry) noexcept {
  static auto* const kNext = placecheck::devices::next<int(char*)>("putenv");
  const placecheck::devices::Telling telling;
  const std::string_view variable = placecheck::rules::visible_devices::kVariable;
  const char* value = std::strchr(entry, '=');
  const bool is_list = value != nullptr &&
                       std::string_view(entry, static_cast<std::size_t>(value - entry)) == variable;
  if (is_list) telling.tell("putenv", value + 1);
  return kNext(entry);
}

}  // extern "C"
