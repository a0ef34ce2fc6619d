// Each rule that virtual CUDA under libtorch sees, in a run that reports mistakes and goes on.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include "runtime/torch/data_parallel.h"
#include "runtime/torch/virtual_cuda/install.h"
#include "runtime/torch/virtual_cuda/rule_error.h"
#include "tests/runtime/testing/witness_table.h"

namespace placecheck {
namespace {

using torch::Device;
using torch::Tensor;

const Device kFirst("cuda:0");
const Device kSecond("cuda:1");

std::string report_file() { return testing::TempDir() + "torch_witnesses_report"; }

// The first rule that `body` reports; "" where it reports nothing.
std::string reported_by(const std::function<void()>& body) {
  std::ofstream(report_file(), std::ios::trunc);
  body();
  std::ifstream in(report_file());
  std::string line;
  std::getline(in, line);
  return line.substr(0, line.find(':'));
}

std::string rule_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const virtual_cuda::RuleError& error) {
    return std::string(error.rule());
  }
  return "";
}

std::string device_mismatch() {
  return reported_by([] { torch::ones({2}, kFirst) + torch::ones({2}, kSecond); });
}

std::string invalid_device() {
  return reported_by([] { torch::ones({2}, Device("cuda:5")); });
}

std::string visible_devices() {
  return reported_by([] {
    EXPECT_GT(torch::cuda::device_count(), 0U);
    setenv("CUDA_VISIBLE_DEVICES", "1", 1);
    unsetenv("CUDA_VISIBLE_DEVICES");
  });
}

std::string discarded_transfer() {
  return reported_by([] {
    const Tensor x = torch::ones({2});
    x.to(kFirst);
  });
}

std::string data_parallel_placement() {
  return rule_of(
      [] { parallel::DataParallel(torch::nn::Linear(2, 2), {0, 1}).forward(torch::ones({2, 2})); });
}

std::string missing_map_location() {
  const std::string file = testing::TempDir() + "witness_of_the_host.pt";
  torch::save(torch::nn::Linear(2, 2), file);
  return reported_by([&] {
    torch::nn::Linear net(2, 2);
    net->to(kFirst);
    torch::load(net, file);
    net->forward(torch::ones({1, 2}, kFirst));
  });
}

// A module that registers its first layer and holds a second one, and a tensor.
struct ForgetfulImpl : torch::nn::Module {
  ForgetfulImpl() { register_module("first", first); }
  Tensor forward(const Tensor& x) { return second->forward(first->forward(x)); }
  Tensor shifted(const Tensor& x) { return first->forward(x) + shift; }

  torch::nn::Linear first{2, 2};
  torch::nn::Linear second{2, 2};
  Tensor shift = torch::ones({2});
};
TORCH_MODULE(Forgetful);

std::string unregistered_state() {
  return reported_by([] {
    Forgetful net;
    net->to(kFirst);
    net->forward(torch::ones({1, 2}, kFirst));
  });
}

class TorchWitnessesTest : public testing::Test {
 protected:
  // Before the devices are installed: the variable is read once.
  static void SetUpTestSuite() {
    std::remove(report_file().c_str());
    setenv("PLACECHECK_TORCH_REPORT", report_file().c_str(), 1);
    virtual_cuda::install();
  }
};

TEST_F(TorchWitnessesTest, OfLibtorch) {
  testing_support::expect_column("torch", {
                                              {"data-parallel-placement", data_parallel_placement},
                                              {"device-mismatch", device_mismatch},
                                              {"discarded-transfer", discarded_transfer},
                                              {"invalid-device", invalid_device},
                                              {"missing-map-location", missing_map_location},
                                              {"unregistered-state", unregistered_state},
                                              {"visible-devices", visible_devices},
                                          });
}

// Nothing is said of transfers whose results are used, kept, or lost to an error.
TEST_F(TorchWitnessesTest, TransfersThatAreUsedAreNoMistake) {
  const Tensor x = torch::ones({2});
  // Outside of the macros, in which all is one line.
  const auto use = [&] {
    x.to(kFirst).sum();
    const Tensor kept = x.to(kFirst);
    Tensor moved = x;
    moved = moved.to(kFirst);
    (moved + kept).cpu();
    torch::nn::Linear net(2, 2);
    net->to(kFirst);
    net->forward(kept);
    moved.to(kFirst);
    moved.to(torch::kFloat64);
    const Tensor unused = x.to(kFirst);
  };
  EXPECT_EQ(reported_by(use), "");
  const auto lose = [&] {
    try {
      const Tensor lost = x.to(kFirst);
      throw std::runtime_error("stop");
    } catch (const std::runtime_error&) {
    }
  };
  EXPECT_EQ(reported_by(lose), "");
}

TEST_F(TorchWitnessesTest, TensorsThatAreNotRegisteredAreLeftBehind) {
  EXPECT_EQ(reported_by([] {
              Forgetful net;
              net->to(kFirst, torch::kFloat32);
              net->shifted(torch::ones({1, 2}, kFirst));
            }),
            "unregistered-state");
}

// Modules that are moved whole, moved by hand, or met by a tensor of somebody else's.
TEST_F(TorchWitnessesTest, MovesThatLeaveNothingBehindAreNoMistake) {
  EXPECT_EQ(reported_by([] {
              Forgetful net;
              net->to(kFirst);
              net->second->to(kFirst);
              net->forward(torch::ones({1, 2}, kFirst));
            }),
            "");
  EXPECT_EQ(reported_by([] {
              Forgetful net;
              net->to(kFirst);
              net->first->forward(torch::ones({1, 2}));
            }),
            "device-mismatch");
}

// A load that names a device, one into a module that is where the file's tensors are, and one after
// which the module is moved.
TEST_F(TorchWitnessesTest, LoadsThatMoveNothingAreNoMistake) {
  const std::string file = testing::TempDir() + "witness_of_loads.pt";
  torch::save(torch::nn::Linear(2, 2), file);
  EXPECT_EQ(reported_by([&] {
              torch::nn::Linear net(2, 2);
              torch::load(net, file);
              torch::load(net, file, kFirst);
              net->forward(torch::ones({1, 2}, kFirst));
              torch::load(net, file);
              net->to(kFirst);
              net->forward(torch::ones({1, 2}, kFirst));
            }),
            "");
}

}  // namespace
}  // namespace placecheck
