#include "runtime/backend/virtual/virtual_options.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/core/check.h"
#include "runtime/core/virtual_devices.h"

namespace placecheck::runtime {
namespace {

std::int64_t number(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  long long value = std::strtoll(text, &end, 10);
  check<ValueError>(end != text && *end == '\0' && value >= 0, variable,
                    " must be a number, but is '", text, "'");
  return value;
}

}  // namespace

VirtualOptions virtual_options_from_environment() {
  VirtualOptions options;
  std::int64_t count = number("PLACECHECK_VIRTUAL_DEVICES", 2);
  count = std::min<std::int64_t>(count, kMostVirtualDevices);
  options.gpus.assign(static_cast<std::size_t>(count), VirtualGpu{});
  for (VirtualGpu& gpu : options.gpus) {
    gpu.memory = number("PLACECHECK_VIRTUAL_MEMORY", gpu.memory);
  }
  options.has_guards = number("PLACECHECK_VIRTUAL_GUARDS", 0) != 0;
  options.late_start_seed = static_cast<std::uint64_t>(number("PLACECHECK_STREAM_SEED", 0));
  return options;
}

}  // namespace placecheck::runtime
