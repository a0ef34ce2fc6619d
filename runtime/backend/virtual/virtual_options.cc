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

std::int64_t memory_from_environment() {
  const char* text = std::getenv("PLACECHECK_VIRTUAL_MEMORY");
  if (text == nullptr || *text == '\0') return static_cast<std::int64_t>(kUsualVirtualMemory);
  const auto bytes = parse_bytes(text);
  check<ValueError>(bytes.has_value(),
                    "PLACECHECK_VIRTUAL_MEMORY must be a size like 16GiB, but is '", text, "'");
  return static_cast<std::int64_t>(*bytes);
}

}  // namespace

VirtualOptions virtual_options_from_environment() {
  VirtualOptions options;
  std::int64_t count = number("PLACECHECK_VIRTUAL_DEVICES", 2);
  count = std::min<std::int64_t>(count, kMostVirtualDevices);
  options.gpus.assign(static_cast<std::size_t>(count), VirtualGpu{});
  for (VirtualGpu& gpu : options.gpus) {
    gpu.memory = memory_from_environment();
  }
  options.has_guards = number("PLACECHECK_VIRTUAL_GUARDS", 0) != 0;
  options.late_start_seed = static_cast<std::uint64_t>(number("PLACECHECK_STREAM_SEED", 0));
  return options;
}

}  // namespace placecheck::runtime
