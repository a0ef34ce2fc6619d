// Several virtual devices at once: libtorch's own data_parallel, which CPU builds cannot link, and
// the checked wrapper.
#include <gtest/gtest.h>
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/torch/data_parallel.h"
#include "tests/runtime/torch/messages.h"

namespace placecheck {
namespace {

using torch::Device;
using torch::Tensor;
namespace parallel_torch = torch::nn::parallel;

const Device kFirst("cuda:0");
const Device kSecond("cuda:1");

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 3));
    norm = register_module("norm",
                           torch::nn::BatchNorm1d(torch::nn::BatchNorm1dOptions(3).affine(false)));
    spare = register_parameter("spare", torch::ones({2}));
  }
  Tensor forward(const Tensor& x) {
    if (x.size(0) == fail_at) throw std::out_of_range("a batch that fails");
    devices_seen = x.device();
    return use_norm ? norm->forward(fc->forward(x)) : fc->forward(x);
  }
  torch::nn::Linear fc{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
  Tensor spare;
  Device devices_seen = torch::kCPU;
  bool use_norm = false;
  std::int64_t fail_at = -1;
};
TORCH_MODULE(Net);

Net net_on_first() {
  torch::manual_seed(2);
  Net net;
  net->to(kFirst);
  return net;
}

TEST(DataParallelFunction, GivesWhatOneDeviceGives) {
  Net net = net_on_first();
  const Tensor x = torch::randn({5, 4});
  const Tensor output = parallel_torch::data_parallel(net, x);
  EXPECT_EQ(output.device(), kFirst);
  EXPECT_TRUE(torch::allclose(output, net->forward(x.to(kFirst))));
  EXPECT_EQ(parallel_torch::data_parallel(net, x, torch::nullopt, kSecond).device(), kSecond);
}

TEST(DataParallelFunction, GradientsReachTheModule) {
  Net net = net_on_first();
  const Tensor x = torch::randn({6, 4});
  net->forward(x.to(kFirst)).pow(2).sum().backward();
  const Tensor expected = net->fc->weight.grad().clone();
  net->zero_grad();
  torch::nn::Linear linear = net->fc;
  parallel_torch::data_parallel(linear, x).pow(2).sum().backward();
  EXPECT_TRUE(torch::allclose(net->fc->weight.grad(), expected, 1e-4, 1e-5));
}

TEST(DataParallelFunction, LosesWhatReplicasWrite) {
  Net net = net_on_first();
  net->norm->train();
  torch::nn::BatchNorm1d norm = net->norm;
  parallel_torch::data_parallel(norm, torch::randn({8, 3}) + 3);
  EXPECT_EQ(norm->running_mean.abs().sum().item<float>(), 0);
}

TEST(DataParallelWrapper, GivesWhatOneDeviceGives) {
  Net net = net_on_first();
  parallel::DataParallel wrapper(net);
  ASSERT_EQ(wrapper.device_ids().size(), 2u);
  const Tensor x = torch::randn({5, 4});
  const Tensor output = wrapper.forward(x);
  EXPECT_EQ(output.device(), kFirst);
  EXPECT_TRUE(torch::allclose(output, net->forward(x.to(kFirst))));
}

TEST(DataParallelWrapper, TrainsAsOneDeviceDoes) {
  Net alone = net_on_first();
  Net wrapped = net_on_first();
  parallel::DataParallel wrapper(wrapped);
  torch::optim::SGD optimizer_alone(alone->parameters(), 0.1);
  torch::optim::SGD optimizer_wrapped(wrapper.parameters(), 0.1);
  const Tensor x = torch::randn({7, 4});
  for (int step = 0; step < 4; ++step) {
    optimizer_alone.zero_grad();
    optimizer_wrapped.zero_grad();
    alone->forward(x.to(kFirst)).pow(2).mean().backward();
    wrapper.forward(x).pow(2).mean().backward();
    optimizer_alone.step();
    optimizer_wrapped.step();
  }
  EXPECT_TRUE(torch::allclose(alone->fc->weight, wrapped->fc->weight, 1e-4, 1e-5));
  EXPECT_FALSE(wrapped->spare.grad().defined()) << "no replica used it";
}

TEST(DataParallelWrapper, KeepsWhatTheFirstReplicaWritesInPlace) {
  Net net = net_on_first();
  net->use_norm = true;
  parallel::DataParallel wrapper(net);
  wrapper.forward(torch::randn({8, 4}));
  EXPECT_NE(net->norm->running_mean.abs().sum().item<float>(), 0);
  EXPECT_EQ(net->norm->num_batches_tracked.item<std::int64_t>(), 1);
  EXPECT_EQ(net->devices_seen, torch::kCPU) << "members are the replicas' own";
}

TEST(DataParallelWrapper, SmallBatchesUseFewerDevices) {
  Net net = net_on_first();
  parallel::DataParallel wrapper(net, {0, 1}, kSecond);
  EXPECT_EQ(wrapper.forward(torch::randn({1, 4})).device(), kSecond);
  EXPECT_EQ(wrapper.forward(torch::randn({1, 4})).sizes(), (std::vector<std::int64_t>{1, 3}));
}

TEST(DataParallelWrapper, RunsReplicasInTheCallersGradMode) {
  Net net = net_on_first();
  parallel::DataParallel wrapper(net);
  const torch::NoGradGuard guard;
  EXPECT_FALSE(wrapper.forward(torch::randn({4, 4})).requires_grad());
}

TEST(DataParallelWrapper, ErrorsOfReplicasReachTheCaller) {
  Net net = net_on_first();
  net->fail_at = 2;
  parallel::DataParallel wrapper(net);
  EXPECT_THROW(wrapper.forward(torch::randn({4, 4})), std::out_of_range);
  EXPECT_NO_THROW(wrapper.forward(torch::randn({8, 4})));
  net->fail_at = -1;
  EXPECT_EQ(message_of([&] { wrapper.forward(torch::randn({4, 3})); }),
            "Caught RuntimeError in replica 0 on device 0.\nOriginal Traceback (most recent call "
            "last):\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x3)");
}

TEST(DataParallelWrapper, RefusesAModuleElsewhere) {
  Net net = net_on_first();
  net->norm->to(kSecond);
  parallel::DataParallel wrapper(net);
  EXPECT_EQ(message_of([&] { wrapper.forward(torch::randn({4, 4})); }),
            "data-parallel-placement: module must have its parameters and buffers on device cuda:0 "
            "(device_ids[0]) but found one of them on device: cuda:1");
}

TEST(DataParallelWrapper, MovesTheModuleToASingleDevice) {
  Net net;
  parallel::DataParallel wrapper(net, {1});
  EXPECT_EQ(net->fc->weight.device(), kSecond);
  EXPECT_EQ(wrapper.forward(torch::randn({4, 4})).device(), kSecond);
}

TEST(DataParallelWrapper, IsAModuleLikeOthers) {
  Net net = net_on_first();
  const auto wrapper = std::make_shared<parallel::DataParallel>(net);
  torch::nn::Sequential layers(wrapper, torch::nn::ReLU());
  const Tensor x = torch::randn({4, 4});
  EXPECT_TRUE(torch::allclose(layers->forward(x), net->forward(x.to(kFirst)).relu()));
}

TEST(DataParallelWrapper, ASingleDeviceGathersNothing) {
  Net net;
  parallel::DataParallel wrapper(net, {1}, kFirst);
  EXPECT_EQ(wrapper.forward(torch::randn({4, 4})).device(), kSecond);
}

TEST(DataParallelWrapper, RefusesDevicesThatAreNotThere) {
  EXPECT_EQ(message_of([] { parallel::DataParallel(Net(), {0, 7}); }),
            "invalid-device: Invalid device id");
  EXPECT_EQ(message_of([] { parallel::DataParallel(Net(), {kFirst, Device(torch::kCPU)}); }),
            "Expected a non cpu device, but got: cpu");
}

// Inputs and outputs of several parts, and a number, which is every replica's.
struct StructuredImpl : torch::nn::Cloneable<StructuredImpl> {
  using Named = std::map<std::string, Tensor>;
  using Output = std::tuple<Tensor, torch::OrderedDict<std::string, Tensor>, std::vector<Tensor>>;
  StructuredImpl() { reset(); }
  void reset() override { weight = register_parameter("weight", torch::full({1}, 3.0)); }
  Output forward(Named named, double scale, std::optional<Tensor> bias) {
    const Tensor& x = named.at("x");
    torch::OrderedDict<std::string, Tensor> dict;
    dict.insert("scaled", x * scale + *bias);
    return {x * weight, std::move(dict), {x.sum(), Tensor()}};
  }
  Tensor weight;
};
TORCH_MODULE(Structured);

TEST(DataParallelWrapper, TakesContainersApartAndPutsThemTogether) {
  Structured net;
  net->to(kFirst);
  parallel::DataParallel wrapper(net);
  const Tensor x = torch::randn({5, 2});
  const Tensor bias = torch::randn({5, 1});
  auto [weighted, dict, list] = wrapper.call<StructuredImpl::Output>(
      StructuredImpl::Named{{"x", x}}, 2.0, std::optional<Tensor>(bias));
  EXPECT_TRUE(torch::allclose(weighted.cpu(), x * 3));
  EXPECT_TRUE(torch::allclose(dict["scaled"].cpu(), x * 2 + bias));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].sizes(), (std::vector<std::int64_t>{2})) << "scalars are put into a vector";
  EXPECT_FALSE(list[1].defined());
  weighted.sum().backward();
  EXPECT_TRUE(torch::allclose(net->weight.grad().cpu(), x.sum().view(1), 1e-4, 1e-5));
}

TEST(DataParallelWrapper, RefusesInputsThatMakeDifferentNumbersOfPieces) {
  Structured net;
  net->to(kFirst);
  parallel::DataParallel wrapper(net);
  EXPECT_EQ(message_of([&] {
              wrapper.call<StructuredImpl::Output>(
                  StructuredImpl::Named{{"x", torch::ones({8, 2})}}, 2.0,
                  std::optional<Tensor>(torch::ones({1, 1})));
            }),
            "the inputs cannot be scattered together to 2 devices: one of size 8 in dimension 0 "
            "makes 2 pieces, one of size 1 makes 1, so that rows of the batch would be dropped");
}

struct RaggedImpl : torch::nn::Cloneable<RaggedImpl> {
  void reset() override {}
  Tensor forward(const Tensor& x) { return on_cpu ? x.cpu() : x.flatten(x.size(0) - 1); }
  bool on_cpu = false;
};
TORCH_MODULE(Ragged);

TEST(DataParallelWrapper, RefusesOutputsThatCannotBeGathered) {
  Ragged net;
  EXPECT_EQ(message_of([&] { parallel::DataParallel(net).forward(torch::ones({3, 2, 2})); }),
            "Expected all input tensors to have the same number of dimensions, but tensor at index "
            "1has 1 dimensions, (expected 2)");
  net->on_cpu = true;
  EXPECT_EQ(message_of([&] { parallel::DataParallel(net).forward(torch::ones({4, 1})); }),
            "Gather function not implemented for CPU tensors");
}

// Frozen parameters stay so in the replicas; one that no replica used has no gradient, or zeros as
// PyTorch has it.
TEST(DataParallelWrapper, ReplicasKnowWhichParametersAreTrained) {
  for (const bool strict : {false, true}) {
    Net net = net_on_first();
    net->fc->bias.set_requires_grad(false);
    parallel::DataParallel wrapper(net, {0, 1}, {}, 0, {.strict_compat = strict});
    wrapper.forward(torch::randn({4, 4})).sum().backward();
    EXPECT_TRUE(net->fc->weight.grad().defined());
    EXPECT_FALSE(net->fc->bias.grad().defined());
    EXPECT_EQ(net->spare.grad().defined(), strict);
    net->fc->weight.set_requires_grad(false);
    EXPECT_FALSE(wrapper.forward(torch::randn({4, 4})).requires_grad());
  }
}

// (g0 + g1) in float: the order is that of the devices.
TEST(DataParallelWrapper, SumsGradientsInTheOrderOfTheDevices) {
  Structured net;
  net->to(kFirst);
  parallel::DataParallel wrapper(net, {0, 1, 0, 1});
  const Tensor x = torch::tensor({1e8F, 1.0F, -1e8F, 1.0F}).view({4, 1});
  auto [weighted, dict, list] = wrapper.call<StructuredImpl::Output>(
      StructuredImpl::Named{{"x", x}}, 1.0, std::optional<Tensor>(torch::zeros({4, 1})));
  weighted.sum().backward();
  EXPECT_EQ(net->weight.grad().item<float>(), ((1e8F + 1.0F) + -1e8F) + 1.0F);
}

struct SelfishImpl : torch::nn::Cloneable<SelfishImpl> {
  void reset() override {}
  Tensor forward(const Tensor& x) { return (*wrapper)->forward(x); }
  std::shared_ptr<std::shared_ptr<parallel::DataParallel>> wrapper =
      std::make_shared<std::shared_ptr<parallel::DataParallel>>();
};
TORCH_MODULE(Selfish);

TEST(DataParallelWrapper, RefusesACallInItsOwnForward) {
  Selfish net;
  *net->wrapper = std::make_shared<parallel::DataParallel>(net);
  const std::string message = message_of([&] { (*net->wrapper)->forward(torch::ones({4, 1})); });
  EXPECT_NE(message.find("a data-parallel module was called inside its own forward"),
            std::string::npos)
      << message;
  net->wrapper->reset();
}

TEST(DataParallelWrapper, LabelsElsewhereAreAMismatch) {
  Net net = net_on_first();
  parallel::DataParallel wrapper(net, {0, 1}, kSecond);
  const Tensor scores = wrapper.forward(torch::randn({4, 4})).log_softmax(1);
  const Tensor labels = torch::zeros({4}, torch::dtype(torch::kLong).device(kFirst));
  EXPECT_EQ(message_of([&] { torch::nll_loss(scores, labels); }),
            argument_text("cuda:1", "cuda:0", "target", "nll_loss_forward"));
}

}  // namespace
}  // namespace placecheck
