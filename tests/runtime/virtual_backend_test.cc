// Virtual GPUs: their memory, streams and errors, and what programs ask of CUDA.
#include "runtime/backend/virtual/virtual_backend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "runtime/backend/cuda_api.h"
#include "runtime/backend/generator.h"
#include "runtime/core/check.h"
#include "runtime/tensor/kernels/elementwise.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/tensor_impl.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

class VirtualBackendTest : public MachineTest {};

constexpr const char* kSuffix =
    "\nCUDA kernel errors might be asynchronously reported at some other API call, so the "
    "stacktrace below might be incorrect.\nFor debugging consider passing "
    "CUDA_LAUNCH_BLOCKING=1\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side "
    "assertions.\n";

TEST_F(VirtualBackendTest, AnswersWhatProgramsAsk) {
  EXPECT_TRUE(cuda::is_available());
  EXPECT_EQ(cuda::device_count(), 4u);
  EXPECT_EQ(cuda::current_device(), 0);
  cuda::set_device(2);
  EXPECT_EQ(ones({1}, Device("cuda")).device(), gpu(2));
  {
    cuda::CUDAGuard guard(gpu(1));
    EXPECT_EQ(cuda::current_device(), 1);
  }
  EXPECT_EQ(cuda::current_device(), 2);
  EXPECT_EQ(cuda::get_device_name(), "placecheck virtual GPU");
  EXPECT_EQ(cuda::get_device_capability(), std::make_pair(8, 0));
  std::thread([] { EXPECT_EQ(cuda::current_device(), 0) << "a thread begins on device 0"; }).join();
}

TEST_F(VirtualBackendTest, RefusesDevicesThatAreNotThere) {
  std::string text = std::string("CUDA error: invalid device ordinal") + kSuffix;
  EXPECT_EQ(error_of([] { cuda::set_device(4); }), text);
  EXPECT_EQ(error_of([] { ones({1}, gpu(7)); }), text);
  EXPECT_EQ(error_of([] { ones({1}).to(Device("cuda:256")); }), text);
  EXPECT_EQ(error_of([] { cuda::set_device(-2); }), "device id must be positive!-2");
  EXPECT_EQ(rule_of([] { cuda::set_device(4); }), "invalid-device");
  EXPECT_EQ(rule_of([] { cuda::set_device(-2); }), "invalid-device");
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  EXPECT_EQ(error_of([] { cuda::set_device(4); }),
            "CUDA error: invalid device ordinal\nCompile with `TORCH_USE_CUDA_DSA` to enable "
            "device-side assertions.\n");
  unsetenv("CUDA_LAUNCH_BLOCKING");
}

TEST_F(VirtualBackendTest, ShowsWhatIsVisible) {
  setenv("CUDA_VISIBLE_DEVICES", "2,0", 1);
  VirtualOptions options = strict_machine(3);
  for (std::size_t i = 0; i < 3; ++i) options.gpus[i].memory = std::int64_t(i + 1) << 20;
  ScopedCudaBackend machine(make_virtual_backend(options));
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  EXPECT_EQ(cuda::device_count(), 2u) << "it is read once";
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(cuda::mem_get_info(0).second, 3 << 20);
  EXPECT_EQ(cuda::mem_get_info(1).second, 1 << 20);
}

TEST_F(VirtualBackendTest, ReadsTheEnvironment) {
  auto set = [](const char* name, const char* value) { setenv(name, value, 1); };
  set("PLACECHECK_VIRTUAL_DEVICES", "3");
  set("PLACECHECK_VIRTUAL_MEMORY", "4096");
  set("PLACECHECK_VIRTUAL_GUARDS", "1");
  set("PLACECHECK_STREAM_SEED", "12");
  VirtualOptions options = virtual_options_from_environment();
  EXPECT_EQ(options.gpus.size(), 3u);
  EXPECT_EQ(options.gpus[2].memory, 4096);
  EXPECT_TRUE(options.has_guards);
  EXPECT_EQ(options.late_start_seed, 12u);
  set("PLACECHECK_VIRTUAL_DEVICES", "99999999999999999999");
  EXPECT_EQ(virtual_options_from_environment().gpus.size(), 64u);
  for (const char* text : {"two", "-1", "2x", " "}) {
    set("PLACECHECK_VIRTUAL_DEVICES", text);
    EXPECT_EQ(error_of([] { virtual_options_from_environment(); }),
              "PLACECHECK_VIRTUAL_DEVICES must be a number, but is '" + std::string(text) + "'");
  }
  for (const char* name : {"PLACECHECK_VIRTUAL_DEVICES", "PLACECHECK_VIRTUAL_MEMORY",
                           "PLACECHECK_VIRTUAL_GUARDS", "PLACECHECK_STREAM_SEED"}) {
    unsetenv(name);
  }
  EXPECT_EQ(virtual_options_from_environment().gpus.size(), 2u);
  EXPECT_EQ(virtual_options_from_environment().late_start_seed, 0u);
}

// A number of the list is a physical one.
TEST_F(VirtualBackendTest, KnowsWhatWasTakenFromTheListOfVisibleDevices) {
  setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
  ScopedCudaBackend machine(make_virtual_backend(strict_machine(4)));
  EXPECT_EQ(rule_of([] { ones({1}, gpu(3)); }), "visible-devices");
  EXPECT_EQ(rule_of([] { ones({1}, gpu(5)); }), "invalid-device");
  EXPECT_NO_THROW(ones({1}, gpu(1)));
  unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_F(VirtualBackendTest, SaysThatThereIsNoGpu) {
  ScopedCudaBackend machine(make_virtual_backend(strict_machine(0)));
  EXPECT_FALSE(cuda::is_available());
  EXPECT_EQ(error_of([] { ones({1}, kCUDA); }), "No CUDA GPUs are available");
  EXPECT_EQ(error_of([] { cuda::current_device(); }), "No CUDA GPUs are available");
  EXPECT_NO_THROW(cuda::manual_seed(3)) << "as in PyTorch";
}

TEST_F(VirtualBackendTest, RunsOutOfMemoryAsPyTorchDoes) {
  std::string text = error_of([] { empty({1 << 25}, gpu(1)); });
  EXPECT_TRUE(
      text.starts_with("CUDA out of memory. Tried to allocate 128.00 MiB. GPU 1 has a total "
                       "capacity of 64.00 MiB of which 64.00 MiB is free. Including "
                       "non-PyTorch memory, this process has 0 bytes memory in use. "))
      << text;
  EXPECT_THROW(empty({1 << 25}, gpu(1)), OutOfMemoryError);
  std::int64_t before = cuda::mem_get_info(1).first;
  {
    Tensor half = zeros({1 << 23}, gpu(1));
    EXPECT_LT(cuda::mem_get_info(1).first, before / 2 + 1);
    EXPECT_THROW(empty({1 << 23}, gpu(1)), OutOfMemoryError);
  }
  EXPECT_EQ(zeros({1 << 23}, gpu(1)).sum().item<float>(), 0) << "freed memory is used again";
  EXPECT_EQ(cuda::mem_get_info(1).first, before);
}

TEST_F(VirtualBackendTest, SortsDevicesByFreeMemory) {
  Tensor a = zeros({1 << 20}, gpu(0));
  Tensor b = zeros({1 << 21}, gpu(2));
  EXPECT_EQ(cuda::devices_by_free_memory(), std::vector<DeviceIndex>({1, 3, 0, 2}));
}

TEST_F(VirtualBackendTest, RefusesMemoryOfOthersInKernels) {
  Tensor here = ones({4}, gpu(0));
  for (const Tensor& there : {ones({4}, gpu(1)), ones({4})}) {
    kernels::Unary<kernels::Neg, float> kernel{here.data_ptr<float>(), there.data_ptr<float>()};
    std::string text = error_of([&] { run_kernel(gpu(0), 4, kernel, {&here, &there}); });
    EXPECT_EQ(text, std::string("CUDA error: an illegal memory access was encountered") + kSuffix);
  }
}

TEST_F(VirtualBackendTest, PoisonsWhatIsFreed) {
  const float* freed = nullptr;
  {
    Tensor tensor = ones({16}, gpu(0));
    cuda::synchronize(0);
    freed = tensor.data_ptr<float>();
    EXPECT_EQ(freed[3], 1);
  }
  cuda::synchronize(0);
  EXPECT_TRUE(std::isnan(freed[3]));
}

TEST_F(VirtualBackendTest, NoticesWritesBesideABlock) {
  {
    Tensor tensor = ones({16}, gpu(0));
    kernels::Fill<float> kernel{tensor.data_ptr<float>(), 2};
    run_kernel(gpu(0), 17, kernel, {&tensor});
  }
  EXPECT_EQ(error_of([] { cuda::synchronize(0); }),
            "virtual device 0: memory was written beside a block of 64 bytes");
  cuda::synchronize(0);  // said once
}

TEST_F(VirtualBackendTest, RaisesDeviceAssertionsWhenItSynchronizes) {
  Tensor weight = ones({3, 2}, gpu(0));
  Tensor bad = embedding(weight, tensor(std::vector<std::int64_t>{5}).to(gpu(0)));
  EXPECT_EQ(error_of([] { cuda::synchronize(0); }),
            std::string("CUDA error: device-side assert triggered") + kSuffix);
  EXPECT_EQ(error_of([] { embedding(ones({3, 2}), tensor(std::vector<std::int64_t>{5})); }),
            "index out of range in self");
}

// Work on one stream is not ordered with another's but through an event.
TEST_F(VirtualBackendTest, StreamsAreOrderedByEvents) {
  VirtualOptions options = strict_machine(1);
  options.latest_start = std::chrono::microseconds(3000);
  ScopedCudaBackend machine(make_virtual_backend(options));
  cuda::Stream side = cuda::new_stream(0);
  for (int i = 0; i < 10; ++i) {
    Tensor value = zeros({4}, gpu(0));
    value.fill_(1);
    auto ready = cuda::current_stream(0).record();
    side.wait(ready);
    cuda::CUDAStreamGuard guard(side);
    EXPECT_EQ(value.add(1).sum().item<float>(), 8);
  }
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kRacesAreErrors = true;
#else
constexpr bool kRacesAreErrors = false;
#endif
#else
constexpr bool kRacesAreErrors = false;
#endif

// Without the event the side stream reads too early; the seed makes that repeat.
TEST_F(VirtualBackendTest, LateStartsShowAMissingWait) {
  if (kRacesAreErrors) GTEST_SKIP() << "a race on purpose";
  VirtualOptions options = strict_machine(1);
  options.latest_start = std::chrono::microseconds(5000);
  ScopedCudaBackend machine(make_virtual_backend(options));
  cuda::Stream side = cuda::new_stream(0);
  int wrong = 0;
  for (int i = 0; i < 20; ++i) {
    Tensor value = zeros({4}, gpu(0));
    cuda::synchronize(0);
    value.fill_(1);
    cuda::CUDAStreamGuard guard(side);
    if (value.add(1).sum().item<float>() != 8) ++wrong;
  }
  cuda::synchronize(0);
  EXPECT_GT(wrong, 0);
}

TEST_F(VirtualBackendTest, CopiesBetweenAllPlaces) {
  Tensor host = arange(6, kFloat);
  Tensor moved = host.to(gpu(0)).to(gpu(1)).to(gpu(3)).to(gpu(3)).cpu();
  EXPECT_TRUE(equal(moved, host));
  Tensor pinned = host.pin_memory();
  EXPECT_TRUE(pinned.is_pinned());
  EXPECT_TRUE(equal(pinned.to(gpu(2), true).cpu(), host));
  Tensor here = host.to(gpu(1));
  EXPECT_TRUE(here.to(gpu(1)).is_same(here)) << "nothing to do gives the tensor itself";
  EXPECT_EQ(host.to(gpu(1), kDouble).dtype(), kDouble);
}

// A copy from pageable memory has read it when it returns.
TEST_F(VirtualBackendTest, StagesPageableMemory) {
  Tensor host = ones({1024});
  Tensor copy = host.to(gpu(0));
  host.fill_(5);
  EXPECT_EQ(copy.sum().item<float>(), 1024);
}

TEST_F(VirtualBackendTest, SeedsDevices) {
  cuda::manual_seed_all(11);
  Tensor first = randn({3}, gpu(0)).cpu();
  EXPECT_TRUE(equal(randn({3}, gpu(1)).cpu(), first)) << "all devices alike";
  EXPECT_FALSE(equal(randn({3}, gpu(0)).cpu(), first));
  cuda::manual_seed(11);
  EXPECT_TRUE(equal(randn({3}, gpu(0)).cpu(), first));
  EXPECT_EQ(cuda::initial_seed(), 11u);
  manual_seed(5);
  EXPECT_EQ(cuda::initial_seed(), 5u);
  cuda::seed_all();
  Tensor a = rand({8}, gpu(2)).cpu();
  EXPECT_TRUE(equal(a, rand({8}, gpu(3)).cpu()));
}

}  // namespace
}  // namespace placecheck::runtime
