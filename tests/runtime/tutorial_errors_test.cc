// What goes wrong in the tutorials, row by row of their table (its numbers are in the names): the
// wrong form raises PyTorch's error, to the letter, and the right one beside it runs.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/runtime.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

// The text for these devices, met in this argument of a method.
std::string mismatch(const std::string& devices, const std::string& where = "") {
  std::string text =
      "Expected all tensors to be on the same device, but found at least two devices, " + devices +
      "!";
  return where.empty() ? text : text + " (when checking argument for argument " + where + ")";
}
constexpr const char* kInAddmm = "mat1 in method wrapper_CUDA_addmm";
constexpr const char* kInMm = "mat2 in method wrapper_CUDA_mm";

struct FooNetImpl : nn::Module {
  FooNetImpl() : linears(register_module("linears", nn::ModuleList())) {
    for (auto [in, out] : {std::pair(5, 5), std::pair(5, 4), std::pair(4, 3)}) {
      linears->push_back(nn::Linear(nn::LinearOptions(in, out).bias(false)));
    }
  }
  Tensor forward(Tensor x) {
    for (std::size_t i = 0; i < linears->size(); ++i) {
      x = linears->at<nn::Linear>(i).forward(x).relu();
    }
    return x;
  }
  nn::ModuleList linears;
};
PLACECHECK_MODULE(FooNet);

class TutorialErrorsTest : public MachineTest {
 protected:
  // An error of this rule, with this text.
  static void expect_error(const std::function<void()>& body, const std::string& rule,
                           const std::string& text) {
    EXPECT_EQ(error_of(body), text);
    EXPECT_EQ(rule_of(body), rule);
  }
};

TEST_F(TutorialErrorsTest, Row01TheMovedTensorIsDropped) {
  nn::Linear net(5, 3);
  net->to(gpu(0));
  Tensor x = rand({2, 5});
  x.to(gpu(0));
  expect_error([&] { net(x); }, "device-mismatch", mismatch("cuda:0 and cpu", kInAddmm));
  x = x.to(gpu(0));
  EXPECT_NO_THROW(net(x));
}

TEST_F(TutorialErrorsTest, Row02ADeviceBeyondTheVisibleOnes) {
  expect_error([] { cuda::set_device(4); }, "invalid-device",
               cuda_error_text("invalid device ordinal"));
  EXPECT_NO_THROW(cuda::set_device(3));
}

TEST_F(TutorialErrorsTest, Row03ANameThatIsNoDevice) {
  expect_error([] { Device("gpu"); }, "invalid-device",
               "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, "
               "maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start "
               "of device string: gpu");
}

TEST_F(TutorialErrorsTest, Row04APhysicalNumberForALogicalOne) {
  setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
  {
    ScopedCudaBackend machine(make_virtual_backend(strict_machine(4)));
    expect_error([] { rand({2}, gpu(2)); }, "visible-devices",
                 cuda_error_text("invalid device ordinal"));
    EXPECT_NO_THROW(rand({2}, gpu(1)));
  }
  unsetenv("CUDA_VISIBLE_DEVICES");
}

std::string placement(const char* first, const char* found) {
  return std::string("module must have its parameters and buffers on device ") + first +
         " (device_ids[0]) but found one of them on device: " + found;
}

TEST_F(TutorialErrorsTest, Row06TheModuleIsNotOnTheFirstDevice) {
  Tensor batch = rand({16, 5});
  FooNet net;
  nn::DataParallel parallel(net, {1, 2});
  expect_error([&] { parallel(batch); }, "data-parallel-placement", placement("cuda:1", "cpu"));
  net->to(gpu(2));
  expect_error([&] { parallel(batch); }, "data-parallel-placement", placement("cuda:1", "cuda:2"));
  parallel->to(gpu(1));
  EXPECT_EQ(parallel(batch).sizes(), Shape({16, 3}));
}

TEST_F(TutorialErrorsTest, Row07ASubsetThatTheModelIsNotOn) {
  FooNet net;
  net->to(gpu(0));
  nn::DataParallel parallel(net, {2, 3});
  expect_error([&] { parallel(rand({4, 5}, gpu(0))); }, "data-parallel-placement",
               placement("cuda:2", "cuda:0"));
  EXPECT_EQ(nn::DataParallel(net, {0, 3})(rand({4, 5})).device(), gpu(0));
}

TEST_F(TutorialErrorsTest, Row08LabelsThatAreNotOnTheOutputDevice) {
  FooNet net;
  net->to(gpu(0));
  nn::DataParallel parallel(net, {0, 1}, 1);
  Tensor labels = rand({16, 3}, gpu(0));
  Tensor output = parallel(rand({16, 5}));
  expect_error([&] { mse_loss(output, labels); }, "device-mismatch", mismatch("cuda:1 and cuda:0"));
  EXPECT_NO_THROW(mse_loss(output, labels.to(output.device())).backward());
}

TEST_F(TutorialErrorsTest, Row09ACheckpointOfAGpuWithoutOne) {
  std::string file = testing::TempDir() + "/of_a_gpu";
  FooNet net;
  net->to(gpu(0));
  save(net->state_dict(), file);
  ScopedCudaBackend machine(make_virtual_backend(strict_machine(0)));
  expect_error([&] { load(file); }, "missing-map-location",
               "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is "
               "False. If you are running on a CPU-only machine, please use torch.load with "
               "map_location=torch.device('cpu') to map your storages to the CPU.");
  EXPECT_NO_THROW(FooNet()->load_state_dict(load(file, "cpu")));
}

TEST_F(TutorialErrorsTest, Row10AWrappedStateInABareNet) {
  nn::StateDict state = nn::DataParallel(FooNet())->state_dict();
  expect_error(
      [&] { FooNet()->load_state_dict(state); }, "state-dict-prefix",
      "Error(s) in loading state_dict for FooNet:\n\tMissing key(s) in state_dict: "
      "\"linears.0.weight\", \"linears.1.weight\", \"linears.2.weight\". \n\tUnexpected key(s) in "
      "state_dict: \"module.linears.0.weight\", \"module.linears.1.weight\", "
      "\"module.linears.2.weight\". ");
  nn::consume_prefix_in_state_dict_if_present(state, "module.");
  EXPECT_NO_THROW(FooNet()->load_state_dict(state));
}

struct OuterImpl : nn::Module {
  nn::Linear submodule = register_module("submodule", nn::Linear(2, 2));
  Tensor forward(const Tensor& x) { return submodule(x); }
};
PLACECHECK_MODULE(Outer);

// As k.replace("module.", "") does.
std::string without_every(std::string text, const std::string& part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
  return text;
}

TEST_F(TutorialErrorsTest, Row11ThePrefixIsStrippedEverywhere) {
  nn::StateDict state = nn::DataParallel(Outer())->state_dict();
  nn::StateDict stripped;
  for (const auto& item : state)
    stripped.insert(without_every(item.key(), "module."), item.value());
  EXPECT_EQ(error_of([&] { Outer()->load_state_dict(stripped); }),
            "Error(s) in loading state_dict for Outer:\n\tMissing key(s) in state_dict: "
            "\"submodule.weight\", \"submodule.bias\". \n\tUnexpected key(s) in state_dict: "
            "\"subweight\", \"subbias\". ");
  nn::consume_prefix_in_state_dict_if_present(state, "module.");
  EXPECT_NO_THROW(Outer()->load_state_dict(state));
}

TEST_F(TutorialErrorsTest, Row15TheInputIsOnAnotherCard) {
  FooNet net;
  net->to("cuda:3");
  net->eval();
  expect_error([&] { net(rand({1, 5})); }, "device-mismatch", mismatch("cpu and cuda:3", kInMm));
  expect_error([&] { net(rand({1, 5}, gpu(1))); }, "device-mismatch",
               mismatch("cuda:1 and cuda:3", kInMm));
  EXPECT_EQ(net(rand({1, 5}, gpu(3))).device(), gpu(3));
}

// A thread begins on device 0, wherever the one that made it was.
TEST_F(TutorialErrorsTest, Row16AThreadsCurrentDeviceIsAnother) {
  cuda::set_device(1);
  FooNet net;
  net->cuda();
  std::thread([&] {
    expect_error([&] { net(rand({1, 5}).cuda()); }, "device-mismatch",
                 mismatch("cuda:0 and cuda:1", kInMm));
    cuda::CUDAGuard guard(gpu(1));
    EXPECT_EQ(net(rand({1, 5}).cuda()).device(), gpu(1));
  }).join();
}

}  // namespace
}  // namespace placecheck::runtime
