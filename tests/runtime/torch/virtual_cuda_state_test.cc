// What virtual devices know of themselves: memory that is taken, where it was made, random states,
// events.
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/torch/virtual_cuda/memory_use.h"
#include "runtime/torch/virtual_cuda/observers.h"
#include "tests/runtime/torch/messages.h"

namespace placecheck {
namespace {

using torch::Device;
using torch::Tensor;

const Device kGpu("cuda:1");

// As CUDA's: a seed and an offset, of which the offset moves with each call.
TEST(VirtualCudaState, RandomNumbersRepeatFromAStateOfSixteenBytes) {
  const at::Generator generator = at::globalContext().defaultGenerator(kGpu);
  torch::manual_seed(9);
  torch::randn({8}, kGpu);
  const Tensor state = generator.get_state();
  EXPECT_EQ(state.numel(), 16);
  EXPECT_EQ(state.data_ptr<std::uint8_t>()[8], 4);
  const Tensor drawn = torch::randn({8}, kGpu);
  EXPECT_FALSE(generator.get_state().equal(state));
  at::Generator other = generator.clone();
  other.set_state(state);
  EXPECT_TRUE(torch::randn({8}, other, kGpu).equal(drawn));
  state.data_ptr<std::uint8_t>()[8] = 8;
  other.set_state(state);
  EXPECT_FALSE(torch::randn({8}, other, kGpu).equal(drawn)) << "another offset";
}

TEST(VirtualCudaState, MemoryOfADeviceIsCounted) {
  const virtual_cuda::MemoryUse before = virtual_cuda::memory_use(1);
  {
    const Tensor tensor = torch::empty({1000}, kGpu);
    const virtual_cuda::MemoryUse during = virtual_cuda::memory_use(1);
    EXPECT_EQ(during.allocated.current - before.allocated.current, 4096) << "in blocks of 512";
    EXPECT_EQ(during.blocks.current - before.blocks.current, 1);
    EXPECT_GE(during.reserved.current, during.allocated.current);
  }
  const virtual_cuda::MemoryUse after = virtual_cuda::memory_use(1);
  EXPECT_EQ(after.allocated.current, before.allocated.current);
  EXPECT_GE(after.allocated.peak, before.allocated.current + 4096);
  virtual_cuda::reset_peak_memory(1);
  EXPECT_EQ(virtual_cuda::memory_use(1).allocated.peak, after.allocated.current);
}

TEST(VirtualCudaState, MoreMemoryThanADeviceHasIsRefused) {
  const auto limit = static_cast<std::int64_t>(virtual_cuda::memory_limit());
  const std::int64_t errors = virtual_cuda::memory_use(1).out_of_memory_errors;
  try {
    torch::empty({limit + 1}, torch::TensorOptions(kGpu).dtype(torch::kByte));
    FAIL() << "was not refused";
  } catch (const c10::OutOfMemoryError& error) {
    EXPECT_EQ(error.msg().find("CUDA out of memory. Tried to allocate 16.00 GiB"), 0u)
        << error.msg();
  }
  EXPECT_EQ(virtual_cuda::memory_use(1).out_of_memory_errors, errors + 1);
  EXPECT_NO_THROW(torch::empty({8}, kGpu));
}

std::vector<std::pair<std::size_t, c10::Device>> observed;

TEST(VirtualCudaState, AllocationsAreObserved) {
  virtual_cuda::set_allocation_observer(
      [](const void* address, std::size_t bytes, c10::Device device) {
        EXPECT_NE(address, nullptr);
        observed.emplace_back(bytes, device);
      });
  const Tensor sum = torch::ones({6}, kGpu) + 1;
  virtual_cuda::set_allocation_observer(nullptr);
  torch::ones({6}, kGpu);
  ASSERT_EQ(observed.size(), 2u) << "a new tensor, and a result";
  EXPECT_EQ(observed[1], std::make_pair(std::size_t{24}, c10::Device(kGpu)));
}

TEST(VirtualCudaState, MistakesAreExplained) {
  virtual_cuda::set_mistake_explainer([](const virtual_cuda::Mistake& mistake) {
    std::string text = "rule " + std::string(mistake.rule) + ":";
    for (const virtual_cuda::MistakenOperand& operand : mistake.operands) {
      text += " " + std::string(operand.name) + " on " + operand.tensor->device().str();
    }
    return text;
  });
  const std::string message =
      message_of([] { torch::mm(torch::ones({2, 2}, kGpu), torch::ones({2, 2})); });
  virtual_cuda::set_mistake_explainer(nullptr);
  EXPECT_NE(message.find("\nrule device-mismatch: self on cuda:1 mat2 on cpu"), std::string::npos)
      << message;
}

TEST(VirtualCudaState, EventsHaveADevice) {
  const c10::impl::DeviceGuardImplInterface& guard = *c10::impl::getDeviceGuardImpl(torch::kCUDA);
  void* event = nullptr;
  guard.record(&event, guard.getStream(kGpu), 1, c10::EventFlag::BACKEND_DEFAULT);
  ASSERT_NE(event, nullptr);
  EXPECT_THROW(
      guard.record(&event, guard.getStream(Device("cuda:0")), 0, c10::EventFlag::BACKEND_DEFAULT),
      c10::Error);
  guard.destroyEvent(event, 1);
}

}  // namespace
}  // namespace placecheck
