// Where the toolkit is installed: its headers and ours say the same, so that programs built against
// either run over the virtual runtime.
#include "tests/runtime/cuda/abi.h"

#include <gtest/gtest.h>

namespace placecheck::cuda {
namespace {

TEST(CudaAbiTest, OurHeadersSayWhatTheToolkitsSay) {
  EXPECT_EQ(values_of_ours(), values_of_toolkit());
}

}  // namespace
}  // namespace placecheck::cuda
