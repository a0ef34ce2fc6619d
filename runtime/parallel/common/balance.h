// The warning about GPUs of unequal size. Thread-safe.
#ifndef PLACECHECK_RUNTIME_PARALLEL_COMMON_BALANCE_H_
#define PLACECHECK_RUNTIME_PARALLEL_COMMON_BALANCE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace placecheck::parallel {

struct GpuSize {
  int device = 0;
  std::int64_t memory = 0;
  std::int64_t processors = 0;
};

// What torch.nn.DataParallel warns of where one GPU has less than 75 % of the memory, or else of
// the processors, of another; empty where none has. There is at least one.
std::string imbalance_warning(const std::vector<GpuSize>& gpus);

}  // namespace placecheck::parallel

#endif  // PLACECHECK_RUNTIME_PARALLEL_COMMON_BALANCE_H_
