// Each rule that the catalogue says is seen at run time is seen: by the reference runtime or by
// virtual CUDA.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <nccl.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include "runtime/runtime.h"
#include "tests/runtime/testing/machine.h"
#include "tests/runtime/testing/witness_table.h"

namespace placecheck::runtime {
namespace {

using testing_support::expect_column;

std::string report_file() { return testing::TempDir() + "witnesses_report"; }

// The rule of the last line that virtual CUDA wrote to its report.
std::string last_reported() {
  std::ifstream in(report_file());
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(' ')) last = line.substr(0, line.find(':'));
  }
  return last;
}

// The rule named at the end of the last warning that `body` causes.
std::string warned_of(const std::function<void()>& body) {
  std::string last;
  ScopedWarningHandler handler([&](const std::string& text) { last = text; });
  body();
  const std::size_t open = last.rfind('[');
  return open == std::string::npos ? last : last.substr(open + 1, last.size() - open - 2);
}

std::string device_mismatch() {
  return rule_of([] { ones({2}, gpu(0)) + ones({2}, gpu(1)); });
}

std::string invalid_device() {
  return rule_of([] { Device("gpu"); });
}

std::string visible_devices() {
  setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
  std::string id;
  {
    ScopedCudaBackend machine(make_virtual_backend(strict_machine(4)));
    id = rule_of([] { ones({2}, gpu(2)); });
  }
  unsetenv("CUDA_VISIBLE_DEVICES");
  return id;
}

std::string data_parallel_placement() {
  return rule_of([] { nn::DataParallel(nn::Linear(2, 2), {0, 1})(ones({2, 2})); });
}

std::string state_dict_prefix() {
  return rule_of(
      [] { nn::Linear(2, 2)->load_state_dict(nn::DataParallel(nn::Linear(2, 2))->state_dict()); });
}

std::string state_dict_silent_miss() {
  return warned_of([] {
    nn::Linear(2, 2)->load_state_dict(nn::DataParallel(nn::Linear(2, 2))->state_dict(), false);
  });
}

std::string missing_map_location() {
  const std::string file = testing::TempDir() + "witnesses_of_a_gpu";
  nn::Linear net(2, 2);
  net->to(gpu(0));
  save(net->state_dict(), file);
  ScopedCudaBackend machine(make_virtual_backend(strict_machine(0)));
  return rule_of([&] { load(file); });
}

std::string nccl_usage() {
  return rule_of([] {
    Tensor here = ones({2}, gpu(0));
    comm::group_of({0, 1}).broadcast({here, here}, 0);
  });
}

std::string cuda_memcpy_kind() {
  std::array<float, 4> host = {};
  float* device = nullptr;
  EXPECT_EQ(cudaMalloc(&device, sizeof(host)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host.data(), sizeof(host), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  return last_reported();
}

std::string cuda_pointer_placement() {
  volatile int* device = nullptr;
  EXPECT_EQ(cudaMalloc(const_cast<int**>(&device), sizeof(int)), cudaSuccess);
  *device = 1;
  EXPECT_EQ(cudaFree(const_cast<int*>(device)), cudaSuccess);
  return last_reported();
}

std::string cuda_current_device() {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  return last_reported();
}

// A registered buffer that a forward replaces.
std::string data_parallel_lost_state() {
  struct Averaging : nn::Module {
    Tensor mean = register_buffer("mean", zeros({2}));
    Tensor forward(const Tensor& x) {
      mean = mean * 0.9 + x.mean() * 0.1;
      return x - mean;
    }
  };
  return warned_of([] {
    auto module = std::make_shared<Averaging>();
    module->to(gpu(0));
    nn::DataParallel(module, {0, 1})(ones({4, 2}));
  });
}

std::string late_visible_devices() {
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  unsetenv("CUDA_VISIBLE_DEVICES");
  return last_reported();
}

std::string invalid_device_of_cuda() {
  EXPECT_EQ(cudaSetDevice(63), cudaSuccess);
  return last_reported();
}

std::string nccl_usage_of_cuda() {
  EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
  return last_reported();
}

class WitnessesTest : public MachineTest {
 protected:
  // Before CUDA is used: the variable is read once.
  static void SetUpTestSuite() {
    std::remove(report_file().c_str());
    setenv("PLACECHECK_CUDA_REPORT", report_file().c_str(), 1);
  }
};

TEST_F(WitnessesTest, TheCatalogueSaysWhichRulesAreSeenAtRunTime) {
  testing_support::expect_catalogue();
}

TEST_F(WitnessesTest, OfTheReferenceEngine) {
  expect_column("runtime", {
                               {"data-parallel-lost-state", data_parallel_lost_state},
                               {"data-parallel-placement", data_parallel_placement},
                               {"device-mismatch", device_mismatch},
                               {"invalid-device", invalid_device},
                               {"missing-map-location", missing_map_location},
                               {"nccl-usage", nccl_usage},
                               {"state-dict-prefix", state_dict_prefix},
                               {"state-dict-silent-miss", state_dict_silent_miss},
                               {"visible-devices", visible_devices},
                           });
}

TEST_F(WitnessesTest, OfTheCudaRuntime) {
  expect_column("cuda", {
                            {"cuda-current-device", cuda_current_device},
                            {"cuda-memcpy-kind", cuda_memcpy_kind},
                            {"cuda-pointer-placement", cuda_pointer_placement},
                            {"invalid-device", invalid_device_of_cuda},
                            {"nccl-usage", nccl_usage_of_cuda},
                            {"visible-devices", late_visible_devices},
                        });
}

}  // namespace
}  // namespace placecheck::runtime
