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

// What generators share that graphsafe_set_state() makes one of.
struct SharedState : c10::intrusive_ptr_target {
  SharedState(State numbers, at::Generator host) : numbers(numbers), host(std::move(host)) {}

  State numbers;
  // The CPU's, where devices draw from that; else undefined.
  at::Generator host;
  std::mutex mutex;
};

using SharedStatePointer = c10::intrusive_ptr<SharedState>;

class DeviceGenerator final : public c10::GeneratorImpl {
 public:
  DeviceGenerator(c10::DeviceIndex index, SharedStatePointer state)
      : c10::GeneratorImpl(c10::Device(c10::kCUDA, index),
                           c10::DispatchKeySet(c10::DispatchKey::CUDA)),
        state_(std::move(state)) {}

  // A shared generator is the CPU's: a run on the CPU has no device to seed.
  void set_current_seed(std::uint64_t seed) override { state_->numbers = {seed, 0}; }
  std::uint64_t current_seed() const override {
    return state_->host.defined() ? state_->host.current_seed() : state_->numbers.seed;
  }
  std::uint64_t seed() override {
    const std::uint64_t random = c10::detail::getNonDeterministicRandom(/*is_cuda=*/true);
    set_current_seed(random);
    return random;
  }
#if PLACECHECK_TORCH_AT_LEAST(2, 0)
  void set_offset(std::uint64_t offset) override {
    TORCH_CHECK(offset % kOffsetStep == 0, "offset must be a multiple of 4");
    state_->numbers.offset = offset;
  }
  std::uint64_t get_offset() const override { return state_->numbers.offset; }
#endif
#if PLACECHECK_TORCH_AT_LEAST(2, 5)
  void graphsafe_set_state(const c10::intrusive_ptr<c10::GeneratorImpl>& other) override {
    const auto* generator = dynamic_cast<const DeviceGenerator*>(other.get());
    TORCH_CHECK(generator != nullptr, "Provided state is not a CUDAGeneratorImpl");
    state_ = generator->state_;
  }
  c10::intrusive_ptr<c10::GeneratorImpl> graphsafe_get_state() const override {
    return c10::make_intrusive<DeviceGenerator>(device_.index(), state_);
  }
#endif
  void set_state(const c10::TensorImpl& state) override {
    if (state_->host.defined()) {
      state_->host.unsafeGetGeneratorImpl()->set_state(state);
    } else {
      state_->numbers = to_state(state);
    }
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return state_->host.defined() ? state_->host.unsafeGetGeneratorImpl()->get_state()
                                  : to_tensor(state_->numbers);
  }

  at::Generator for_call() {
    if (state_->host.defined()) return state_->host;
    thread_local at::Generator of_thread = at::make_generator<at::CPUGeneratorImpl>();
    const std::lock_guard<std::mutex> lock(state_->mutex);
    of_thread.set_current_seed(host_seed(state_->numbers));
    state_->numbers.offset += kOffsetStep;
    return of_thread;
  }

 private:
  DeviceGenerator* clone_impl() const override {
    at::Generator host = state_->host.defined() ? state_->host.clone() : at::Generator();
    return new DeviceGenerator(device_.index(),
                               c10::make_intrusive<SharedState>(state_->numbers, std::move(host)));
  }

  SharedStatePointer state_;
};

SharedStatePointer new_state() {
  return c10::make_intrusive<SharedState>(State(), at::Generator());
}

// The CPU's where the devices are to draw what it would; else none.
at::Generator shared_generator() {
  if (std::getenv("PLACECHECK_TORCH_CPU_RANDOM") == nullptr) return {};
  return at::detail::getDefaultCPUGenerator();
}

std::vector<at::Generator> make_generators() {
  std::vector<at::Generator> generators;
  generators.reserve(kMostDevices);
  for (c10::DeviceIndex i = 0; i < kMostDevices; ++i) {
    generators.push_back(at::make_generator<DeviceGenerator>(
        i, c10::make_intrusive<SharedState>(State(), shared_generator())));
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
  return at::make_generator<DeviceGenerator>(device.index(), new_state());
}

void construct_generator(void* memory, std::size_t size, c10::DeviceIndex index) {
  TORCH_INTERNAL_ASSERT(size >= sizeof(DeviceGenerator));
  const c10::Device device = resolve(c10::Device(c10::kCUDA, index));
  new (memory) DeviceGenerator(device.index(), new_state());
}

at::Generator host_generator_for_call(const at::Generator& generator) {
  if (!generator.defined() || generator.device().is_cpu()) return generator;
  auto* impl = dynamic_cast<DeviceGenerator*>(generator.unsafeGetGeneratorImpl());
  return impl == nullptr ? generator : impl->for_call();
}

}  // namespace placecheck::virtual_cuda
