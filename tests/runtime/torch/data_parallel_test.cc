// The checked wrapper, as far as it can be had without a CUDA device, and the rules' texts against
// what libtorch itself says.
#include "runtime/torch/data_parallel.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rules/data_parallel_placement.h"
#include "rules/device_mismatch.h"
#include "rules/state_dict_prefix.h"
#include "tests/runtime/torch/messages.h"

namespace placecheck::parallel {
namespace {

struct NormedImpl : torch::nn::Module {
  NormedImpl() {
    register_module("fc", fc);
    register_buffer("scale", torch::ones({2}));
  }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }

  torch::nn::Linear fc{4, 2};
};
TORCH_MODULE(Normed);

TEST(CheckPlacement, AcceptsAModuleInItsPlace) {
  Normed net;
  EXPECT_NO_THROW(check_placement(*net, torch::kCPU));
}

TEST(CheckPlacement, RefusesParametersElsewhere) {
  Normed net;
  EXPECT_EQ(message_of([&] { check_placement(*net, torch::Device("cuda:1")); }),
            "data-parallel-placement: module must have its parameters and buffers on device cuda:1 "
            "(device_ids[0]) but found one of them on device: cpu");
}

TEST(CheckPlacement, LooksAtBuffersToo) {
  torch::nn::BatchNorm1d norm(torch::nn::BatchNormOptions(3).affine(false));
  ASSERT_TRUE(norm->parameters().empty());
  EXPECT_EQ(message_of([&] { check_placement(*norm, torch::Device("cuda:0")); }),
            "data-parallel-placement: " + rules::data_parallel_placement::message("cuda:0", "cpu"));
}

TEST(CheckPlacement, AModuleWithoutStateIsInPlaceAnywhere) {
  torch::nn::ReLU relu;
  EXPECT_NO_THROW(check_placement(*relu, torch::Device("cuda:0")));
}

TEST(DataParallel, PutsItsPrefixBeforeEveryKey) {
  Normed net;
  DataParallel parallel(net);
  EXPECT_EQ(parallel.named_parameters().keys(),
            (std::vector<std::string>{"module.fc.weight", "module.fc.bias"}));
  EXPECT_EQ(parallel.named_buffers().keys(), std::vector<std::string>{"module.scale"});
  EXPECT_EQ(parallel.module().get(), net.get());
}

TEST(DataParallel, ReachesTheModule) {
  Normed net;
  DataParallel parallel(net.ptr());
  parallel.eval();
  EXPECT_FALSE(net->is_training());
  parallel.to(torch::kFloat64);
  EXPECT_EQ(net->fc->weight.dtype(), torch::kFloat64);
}

TEST(DataParallel, IgnoresIdsWhereNoDeviceIs) {
  if (torch::cuda::is_available()) return;
  DataParallel parallel(Normed(), {1, 2}, torch::Device("cuda:2"), 1);
  EXPECT_TRUE(parallel.device_ids().empty());
  EXPECT_EQ(parallel.dim(), 1);
}

TEST(DeviceIds, AreIndicesOrDevices) {
  const std::vector<torch::Device> expected = {torch::Device("cuda:0"), torch::Device("cuda:3")};
  EXPECT_EQ(DeviceIds({0, 3}).devices(), expected);
  EXPECT_EQ(DeviceIds({torch::Device("cuda:0"), torch::Device("cuda:3")}).devices(), expected);
  EXPECT_EQ(DeviceIds(std::vector<int>{0, 3}).devices(), expected);
  EXPECT_EQ(DeviceIds(expected).devices(), expected);
  EXPECT_TRUE(DeviceIds().devices().empty());
}

// libtorch's own words; meta tensors stand for those of an accelerator.
TEST(Messages, AreThoseOfLibtorch) {
  const torch::Tensor meta = torch::empty({2}, torch::kMeta);
  EXPECT_EQ(message_of([&] { torch::ones({2}) + meta; }),
            rules::device_mismatch::message("meta", "cpu"));
  torch::nn::GRU gru(2, 2);
  EXPECT_EQ(message_of([&] {
              gru->forward(torch::ones({1, 1, 2}), torch::empty({1, 1, 2}, torch::kMeta));
            }),
            rules::device_mismatch::recurrent_message("cpu", "hidden", "meta"));
}

std::string saved(const std::shared_ptr<torch::nn::Module>& module) {
  std::ostringstream out;
  torch::serialize::OutputArchive archive;
  module->save(archive);
  archive.save_to(out);
  return out.str();
}

std::string load_message(torch::nn::Module& module, const std::string& bytes) {
  return message_of([&] {
    std::istringstream in(bytes);
    torch::serialize::InputArchive archive;
    archive.load_from(in);
    module.load(archive);
  });
}

TEST(Messages, OfArchivesAreThoseOfLibtorch) {
  Normed net;
  auto parallel = std::make_shared<DataParallel>(net);
  EXPECT_EQ(load_message(*net, saved(parallel)),
            rules::state_dict_prefix::archive_tensor_message("scale"));
  EXPECT_EQ(load_message(*parallel, saved(net.ptr())),
            rules::state_dict_prefix::archive_submodule_message("module"));
  EXPECT_EQ(load_message(*parallel, saved(parallel)), "no error");
  EXPECT_EQ(message_of([&] { net->named_parameters()["module.fc.weight"]; }),
            rules::state_dict_prefix::ordered_dict_message("module.fc.weight"));
}

}  // namespace
}  // namespace placecheck::parallel
