// The cases of PyTorch's test_data_parallel.py on the reference engine.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/nn/cloneable.h"
#include "runtime/runtime.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::conformance {

namespace library = placecheck::runtime;
namespace nn = placecheck::runtime::nn;
using runtime::Device;
using runtime::error_of;
using runtime::gpu;
using runtime::Tensor;

class DataParallelConformance : public runtime::MachineTest {};

template <typename Module>
nn::DataParallel<Module> wrap(std::shared_ptr<Module> module, const std::vector<int>& ids,
                              const Device& output_device = gpu(0)) {
  if (ids.size() == 1) return nn::DataParallel<Module>(std::move(module), ids);
  return nn::DataParallel<Module>(std::move(module), ids, output_device);
}

template <typename Output, typename Module, typename... Inputs>
Output call(nn::DataParallel<Module>& net, const Inputs&... inputs) {
  return net(inputs...);
}

}  // namespace placecheck::conformance

#include "tests/runtime/testing/data_parallel_cases.inc"
