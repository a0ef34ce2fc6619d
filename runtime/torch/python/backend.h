// c10d's backends by one name, whichever release this is compiled against.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_BACKEND_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_BACKEND_H_

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <c10/util/Exception.h>

#include <string>
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
#include <torch/csrc/distributed/c10d/Backend.hpp>
#else
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#endif

namespace placecheck::process_group {

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
using Backend = c10d::Backend;
using BackendError = c10::DistBackendError;
inline constexpr auto kCoalesced = c10d::OpType::COALESCED;
#else
using Backend = c10d::ProcessGroup;
using BackendError = c10::Error;
inline constexpr auto kCoalesced = c10d::OpType::UNKNOWN;
#endif

[[noreturn]] inline void throw_backend_error(const std::string& message) {
  throw BackendError({__func__, __FILE__, __LINE__}, message);
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_BACKEND_H_
