#include "runtime/torch/virtual_cuda/generator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GeneratorImpl.h>
#include <torch/version.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "runtime/torch/virtual_cuda/devices.h"

namespace placecheck::virtual_cuda {
namespace {

class DeviceGenerator final : public c10::GeneratorImpl {
 public:
  DeviceGenerator(c10::DeviceIndex index, at::Generator host)
      : c10::GeneratorImpl(c10::Device(c10::kCUDA, index),
                           c10::DispatchKeySet(c10::DispatchKey::CUDA)),
        host_(std::move(host)) {}

  void set_current_seed(std::uint64_t seed) override { host_.set_current_seed(seed); }
  std::uint64_t current_seed() const override { return host_.current_seed(); }
  std::uint64_t seed() override { return host_.seed(); }
#if TORCH_VERSION_MAJOR >= 2
  void set_offset(std::uint64_t offset) override { host_.set_offset(offset); }
  std::uint64_t get_offset() const override { return host_.get_offset(); }
#endif
  void set_state(const c10::TensorImpl& state) override {
    host_.unsafeGetGeneratorImpl()->set_state(state);
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return host_.unsafeGetGeneratorImpl()->get_state();
  }

  const at::Generator& host() const { return host_; }

 private:
  DeviceGenerator* clone_impl() const override {
    return new DeviceGenerator(device_.index(), host_.clone());
  }

  at::Generator host_;
};

// A generator of the device's own, or the CPU's where the devices are to draw what it would.
at::Generator make_host_part() {
  if (std::getenv("PLACECHECK_TORCH_CPU_RANDOM") != nullptr) {
    return at::detail::getDefaultCPUGenerator();
  }
  return at::make_generator<at::CPUGeneratorImpl>();
}

std::vector<at::Generator> make_generators() {
  std::vector<at::Generator> generators;
  generators.reserve(kMostDevices);
  for (c10::DeviceIndex i = 0; i < kMostDevices; ++i) {
    generators.push_back(at::make_generator<DeviceGenerator>(i, make_host_part()));
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
  return at::make_generator<DeviceGenerator>(device.index(),
                                             at::make_generator<at::CPUGeneratorImpl>());
}

at::Generator host_part(const at::Generator& generator) {
  if (!generator.defined() || generator.device().is_cpu()) return generator;
  const auto* impl = dynamic_cast<DeviceGenerator*>(generator.unsafeGetGeneratorImpl());
  return impl == nullptr ? generator : impl->host();
}

}  // namespace placecheck::virtual_cuda
