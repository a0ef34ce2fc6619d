// The cases of PyTorch's test_data_parallel.py on DataParallel for libtorch.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/torch/data_parallel.h"

namespace placecheck::conformance {

namespace library = torch;
namespace nn = torch::nn;
using torch::Device;
using torch::Tensor;

class DataParallelConformance : public testing::Test {};

inline Device gpu(int index) { return {torch::kCUDA, static_cast<torch::DeviceIndex>(index)}; }

template <typename Module>
std::unique_ptr<parallel::DataParallel> wrap(std::shared_ptr<Module> module,
                                             const std::vector<int>& ids,
                                             Device output_device = gpu(0)) {
  if (ids.size() == 1) return std::make_unique<parallel::DataParallel>(std::move(module), ids);
  return std::make_unique<parallel::DataParallel>(std::move(module), ids, output_device);
}

template <typename Output, typename... Inputs>
Output call(const std::unique_ptr<parallel::DataParallel>& net, const Inputs&... inputs) {
  return net->call<Output>(inputs...);
}

inline std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace placecheck::conformance

#include "tests/runtime/testing/data_parallel_cases.inc"
