#include "runtime/core/warning.h"

#include <cstdio>
#include <mutex>
#include <utility>

namespace placecheck::runtime {
namespace {

struct Warnings {
  std::mutex mutex;
  WarningHandler handler;
};

Warnings& warnings() {
  static auto* const kWarnings = new Warnings;
  return *kWarnings;
}

}  // namespace

void warn(const std::string& text) {
  std::lock_guard lock(warnings().mutex);
  if (warnings().handler) {
    warnings().handler(text);
  } else {
    std::fprintf(stderr, "Warning: %s\n", text.c_str());
  }
}

ScopedWarningHandler::ScopedWarningHandler(WarningHandler handler) {
  std::lock_guard lock(warnings().mutex);
  previous_ = std::exchange(warnings().handler, std::move(handler));
}

ScopedWarningHandler::~ScopedWarningHandler() {
  std::lock_guard lock(warnings().mutex);
  warnings().handler = std::move(previous_);
}

}  // namespace placecheck::runtime
