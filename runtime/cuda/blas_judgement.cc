#include "runtime/cuda/blas_judgement.h"

#include "runtime/cuda/devices.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {

BlasVerdict judge_blas(const BlasHandle& handle, std::string_view routine,
                       std::initializer_list<const void*> operands,
                       std::initializer_list<const void*> scalars) {
  const int current = current_device();
  BlasVerdict verdict;
  if (handle.device && !judge_handle("handle", *handle.device, current, routine)) {
    verdict.fits_device = false;
    return verdict;
  }
  for (const void* operand : operands) {
    verdict.is_reached = judge_use(operand, current, routine) && verdict.is_reached;
  }
  for (const void* scalar : scalars) {
    if (handle.mode == CUBLAS_POINTER_MODE_DEVICE) {
      verdict.is_reached = judge_use(scalar, current, routine) && verdict.is_reached;
    } else {
      verdict.is_readable = judge_use_by_host(scalar, routine) && verdict.is_readable;
    }
  }
  return verdict;
}

}  // namespace placecheck::cuda
