#include "runtime/torch/standin/refusal.h"

#include <c10/util/Exception.h>

#include <cstdlib>

void placecheck_refuse(const char* name) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "placecheck: not supported on virtual GPUs: ", name);
  std::abort();
}
