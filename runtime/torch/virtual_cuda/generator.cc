#include "runtime/torch/virtual_cuda/generator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/Utils.h>
#include <c10/core/GeneratorImpl.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/release.h"

namespace placecheck::virtual_cuda {
namespace {

// Of CUDAGeneratorImpl.cpp: offsets are multiples of what a Philox block gives.
constexpr std::uint64_t kOffsetStep = 4;

struct State {
  std::uint64_t seed = c10::default_rng_seed_val;
  std::uint64_t offset = 0;
};

// The CPU's generator looks at 32 bits of a seed (splitmix64 mixes both numbers into them); at
// offset 0 it is the program's seed.
std::uint64_t host_seed(const State& state) {
  if (state.offset == 0) return state.seed;
  std::uint64_t x = state.seed + state.offset * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) & 0xffffffff;
}

c10::intrusive_ptr<c10::TensorImpl> to_tensor(const State& state) {
  at::Tensor bytes = at::detail::empty_cpu({sizeof state}, at::kByte, c10::nullopt, c10::nullopt,
                                           c10::nullopt, c10::nullopt);
  std::memcpy(bytes.data_ptr(), &state, sizeof state);
  return bytes.getIntrusivePtr();
}

// A state without an offset is from a time when there was none, as for CUDA.
State to_state(const c10::TensorImpl& tensor) {
  at::detail::check_rng_state(tensor);
  const auto size = static_cast<std::size_t>(tensor.numel());
  TORCH_CHECK(size == sizeof(State) || size == sizeof(std::uint64_t), "RNG state is wrong size");
  State state;
  std::memcpy(&state, tensor.data(), size);
  TORCH_CHECK(state.offset % kOffsetStep == 0, "offset must be a multiple of 4");
  return state;
}

class DeviceGenerator final : public c10::GeneratorImpl {
 public:
  // `shared` is the CPU's, where devices draw from that; else undefined.
  DeviceGenerator(c10::DeviceIndex index, at::Generator shared)
      : c10::GeneratorImpl(c10::Device(c10::kCUDA, index),
                           c10::DispatchKeySet(c10::DispatchKey::CUDA)),
        shared_(std::move(shared)) {}

  // A shared generator is the CPU's: a run on the CPU has no device to seed.
  void set_current_seed(std::uint64_t seed) override { state_ = {seed, 0}; }
  std::uint64_t current_seed() const override {
    return shared_.defined() ? shared_.current_seed() : state_.seed;
  }
  std::uint64_t seed() override {
    const std::uint64_t random = c10::detail::getNonDeterministicRandom(/*is_cuda=*/true);
    set_current_seed(random);
    return random;
  }
#if PLACECHECK_TORCH_AT_LEAST(2, 0)
  void set_offset(std::uint64_t offset) override {
    TORCH_CHECK(offset % kOffsetStep == 0, "offset must be a multiple of 4");
    state_.offset = offset;
  }
  std::uint64_t get_offset() const override { return state_.offset; }
#endif
  void set_state(const c10::TensorImpl& state) override {
    if (shared_.defined()) {
      shared_.unsafeGetGeneratorImpl()->set_state(state);
    } else {
      state_ = to_state(state);
    }
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return shared_.defined() ? shared_.unsafeGetGeneratorImpl()->get_state() : to_tensor(state_);
  }

  at::Generator for_call() {
    if (shared_.defined()) return shared_;
    thread_local at::Generator of_thread = at::make_generator<at::CPUGeneratorImpl>();
    std::lock_guard<std::mutex> lock(mutex_);
    of_thread.set_current_seed(host_seed(state_));
    state_.offset += kOffsetStep;
    return of_thread;
  }

 private:
  DeviceGenerator* clone_impl() const override {
    auto* clone =
        new DeviceGenerator(device_.index(), shared_.defined() ? shared_.clone() : shared_);
    clone->state_ = state_;
    return clone;
  }

  State state_;
  at::Generator shared_;
};

// The CPU's where the devices are to draw what it would; else none.
at::Generator shared_generator() {
  if (std::getenv("PLACECHECK_TORCH_CPU_RANDOM") == nullptr) return {};
  return at::detail::getDefaultCPUGenerator();
}

std::vector<at::Generator> make_generators() {
  std::vector<at::Generator> generators;
  generators.reserve(kMostDevices);
  for (c10::DeviceIndex i = 0; i < kMostDevices; ++i) {
    generators.push_back(at::make_generator<DeviceGenerator>(i, shared_generator()));
  }
  return generators;
}

}  // namespace

const at::Generator& default_generator(c10::DeviceIndex index) {
  static const auto* kGenerators = new std::vector<at::Generator>(make_generators());
  const c10::Device device = resolve(c10::Device(c10::kCUDA, index));
  return kGenerators->at(static_cast<std::size_t>(device.index()));
}

at::Generator new_generator(c10::DeviceIndex index) {
  const c10::Device device = resolve(c10::Device(c10::kCUDA, index));
  return at::make_generator<DeviceGenerator>(device.index(), at::Generator());
}

at::Generator host_generator_for_call(const at::Generator& generator) {
  if (!generator.defined() || generator.device().is_cpu()) return generator;
  auto* impl = dynamic_cast<DeviceGenerator*>(generator.unsafeGetGeneratorImpl());
  return impl == nullptr ? generator : impl->for_call();
}

}  // namespace placecheck::virtual_cuda
