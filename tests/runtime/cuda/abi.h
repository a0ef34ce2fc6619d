// Sizes, offsets and values that programs built against CUDA's headers have compiled in.
#ifndef PLACECHECK_TESTS_RUNTIME_CUDA_ABI_H_
#define PLACECHECK_TESTS_RUNTIME_CUDA_ABI_H_

#include <string>
#include <utility>
#include <vector>

namespace placecheck::cuda {

using AbiValues = std::vector<std::pair<std::string, long long>>;

// By //runtime/cuda:headers, and by the toolkit's.
AbiValues values_of_ours();
AbiValues values_of_toolkit();

}  // namespace placecheck::cuda

#endif  // PLACECHECK_TESTS_RUNTIME_CUDA_ABI_H_
