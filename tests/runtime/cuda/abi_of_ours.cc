#include "tests/runtime/cuda/abi.h"
#include "tests/runtime/cuda/abi_values.inc"

placecheck::cuda::AbiValues placecheck::cuda::values_of_ours() { return abi_values(); }
