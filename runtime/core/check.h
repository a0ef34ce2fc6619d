// check(): what TORCH_CHECK is to libtorch. Messages are put together only when they are needed.
#ifndef PLACECHECK_RUNTIME_CORE_CHECK_H_
#define PLACECHECK_RUNTIME_CORE_CHECK_H_

#include <sstream>
#include <string>
#include <utility>

#include "runtime/core/error.h"

namespace placecheck::runtime {

using core::CommunicationError;
using core::Error;
using core::IndexError;
using core::KeyError;
using core::OutOfMemoryError;
using core::RuleError;
using core::TypeError;
using core::ValueError;

// Everything that can be streamed, joined.
template <typename... Parts>
std::string text_of(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return std::move(out).str();
}

// Throws `Raised` with the joined parts unless `holds`.
template <typename Raised = Error, typename... Parts>
void check(bool holds, const Parts&... parts) {
  if (!holds) [[unlikely]] {
    throw Raised(text_of(parts...));
  }
}

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_CHECK_H_
