// Things that go wrong in the middle: the error says where, and the model works afterwards.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/autograd/node.h"
#include "runtime/runtime.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

// The second GPU has little memory.
VirtualOptions uneven_machine() {
  VirtualOptions options = strict_machine(2);
  options.gpus = {{.memory = 64 * kMiB}, {.memory = 2 * kMiB}};
  return options;
}

// Holds up its stream.
struct Slow {
  static constexpr const char* kName = "slow";
  void run() const { std::this_thread::sleep_for(std::chrono::milliseconds(400)); }
};

class FaultTest : public testing::Test {
 protected:
  FaultTest() : machine_(make_virtual_backend(uneven_machine())), quiet_([](const auto&) {}) {}

  static std::int64_t free_on(DeviceIndex device) {
    cuda::synchronize(device);
    return cuda::mem_get_info(device).first;
  }

 private:
  ScopedCudaBackend machine_;
  ScopedWarningHandler quiet_;
};

TEST_F(FaultTest, MemoryEndsWhileReplicating) {
  nn::Sequential model(nn::Linear(300, 300), nn::Linear(300, 1600), nn::Linear(1600, 2));
  model->to(gpu(0));
  std::int64_t free_before = free_on(1);
  nn::DataParallel net(model, {0, 1});
  Tensor x = randn({4, 300});
  std::string text = error_of([&] { net(x); });
  EXPECT_TRUE(text.starts_with("CUDA out of memory. Tried to allocate")) << text;
  EXPECT_NE(text.find("GPU 1 has a total capacity of 2.00 MiB"), std::string::npos) << text;
  EXPECT_EQ(free_on(1), free_before) << "what was copied is freed";
  nn::DataParallel alone(model, {0});
  Tensor output = alone(x);
  output.sum().backward();
  EXPECT_TRUE(model->parameters()[0].grad().defined());
}

TEST_F(FaultTest, MemoryEndsInAReplica) {
  nn::Sequential model(nn::Linear(8, 256), nn::ReLU(), nn::Linear(256, 2));
  model->to(gpu(0));
  nn::DataParallel net(model, {0, 1});
  std::int64_t free_before = free_on(1);
  std::string text = error_of([&] { net(randn({8000, 8})); });
  EXPECT_TRUE(
      text.starts_with("Caught OutOfMemoryError in replica 1 on device 1.\nOriginal Traceback "
                       "(most recent call last):\nOutOfMemoryError: CUDA out of memory."))
      << text;
  EXPECT_EQ(free_on(1), free_before);
  Tensor output = net(randn({16, 8}));
  output.sum().backward();
  EXPECT_EQ(output.sizes(), Shape({16, 2}));
}

TEST_F(FaultTest, AKernelFailsInAReplica) {
  struct Looking : nn::Module {
    nn::Embedding table = register_module("table", nn::Embedding(4, 2));
    Tensor forward(const Tensor& indices) { return table(indices); }
  };
  auto model = std::make_shared<Looking>();
  model->to(gpu(0));
  nn::DataParallel net(model, {0, 1});
  Tensor bad = tensor(std::vector<std::int64_t>{0, 1, 2, 9});
  EXPECT_TRUE(error_of([&] {
                net(bad);
                cuda::synchronize(1);
              }).starts_with("CUDA error: device-side assert triggered"));
  EXPECT_EQ(net(arange(4)).sizes(), Shape({4, 2}));
  cuda::synchronize(1);
}

// Its gradient is not to be had on the second GPU.
struct FailingBackwardImpl : nn::Module {
  bool fails = true;
  nn::Linear fc = register_module("fc", nn::Linear(2, 2));

  Tensor forward(const Tensor& x) {
    Tensor y = fc(x);
    Tensor out = y.detach().clone();
    bool is_broken = fails && x.device().index() == 1;
    autograd::record("Failing", {out}, {y}, [is_broken](autograd::Pass& pass) {
      check(!is_broken, "no gradient here");
      pass.give(0, pass.grad());
    });
    return out;
  }
};
PLACECHECK_MODULE(FailingBackward);

TEST_F(FaultTest, ABackwardFormulaFails) {
  FailingBackward model;
  model->to(gpu(0));
  nn::DataParallel net(model, {0, 1});
  Tensor x = randn({4, 2});
  EXPECT_EQ(error_of([&] { net(x).sum().backward(); }), "no gradient here");
  EXPECT_FALSE(model->fc->weight.grad().defined()) << "no replica's part alone";
  model->fails = false;
  net(x).sum().backward();
  EXPECT_TRUE(model->fc->weight.grad().defined());
}

// A stream that is stuck is reported at the deadline.
TEST_F(FaultTest, AWaitHasADeadline) {
  VirtualOptions options = strict_machine(1);
  options.deadline = std::chrono::milliseconds(50);
  ScopedCudaBackend machine(make_virtual_backend(options));
  Slow kernel;
  cuda_backend().launch({0, 0}, {&kernel_entry<Slow>, 1, 1, &kernel, sizeof kernel, {}});
  EXPECT_EQ(error_of([] { cuda::synchronize(0); }),
            "a stream did not finish its work within 50 ms");
}

}  // namespace
}  // namespace placecheck::runtime
