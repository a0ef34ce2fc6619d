// How operations reach a device: run a kernel where a tensor lives, with what it touches.
#ifndef PLACECHECK_RUNTIME_TENSOR_LAUNCH_H_
#define PLACECHECK_RUNTIME_TENSOR_LAUNCH_H_

#include <array>
#include <cstdint>
#include <initializer_list>

#include "runtime/backend/devices.h"
#include "runtime/backend/kernel.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime {

inline constexpr std::size_t kMaxTouched = 8;

// The device on which an operation over these runs: the first one off the CPU, if any is.
Device common_device(std::initializer_list<const Tensor*> operands);

void launch_on(const Device& device, Launch launch, std::initializer_list<const Tensor*> touched);

// Enqueues `count` indices of `kernel` on `device`. Every tensor whose memory it reads or writes is
// among `touched`; undefined ones are skipped.
template <typename Kernel>
void run_kernel(const Device& device, std::int64_t count, const Kernel& kernel,
                std::initializer_list<const Tensor*> touched) {
  if (count == 0) return;
  launch_on(device,
            {&kernel_entry<Kernel>, count, work_of(kernel, count), &kernel, sizeof(Kernel), {}},
            touched);
}

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_LAUNCH_H_
