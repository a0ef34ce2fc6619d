// gloo for tensors of virtual GPUs: CUDA builds of gloo copy them to the host and back; here the
// host's kernels take their memory as it is.
//
// Forwards every call to a gloo backend, whose texts and errors are kept. Thread-safe as that is.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_GLOO_DEVICES_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_GLOO_DEVICES_H_

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS

#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace placecheck::process_group {

c10::intrusive_ptr<c10d::Backend> make_gloo_for_devices(c10::intrusive_ptr<c10d::Backend> gloo);

}  // namespace placecheck::process_group

#endif  // PLACECHECK_GROUPS_HAVE_BACKENDS
#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_GLOO_DEVICES_H_
