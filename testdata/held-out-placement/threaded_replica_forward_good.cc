#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <thread>
#include <vector>

struct MlpImpl : torch::nn::Cloneable<MlpImpl> {
  explicit MlpImpl(int64_t in) : in_features(in) { reset(); }

  void reset() override {
    hidden = register_module("hidden", torch::nn::Linear(in_features, 32));
    out = register_module("out", torch::nn::Linear(32, 4));
    scale = register_buffer("scale", torch::full({in_features}, 0.5));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return out(torch::gelu(hidden(x * scale)));
  }

  int64_t in_features;
  torch::nn::Linear hidden{nullptr}, out{nullptr};
  torch::Tensor scale;
};
TORCH_MODULE(Mlp);

static std::vector<torch::Device> all_gpus() {
  std::vector<torch::Device> devices;
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) {
    devices.emplace_back(torch::kCUDA, static_cast<torch::DeviceIndex>(i));
  }
  return devices;
}

int main() {
  torch::manual_seed(5);
  auto devices = all_gpus();
  std::cout << devices.size() << " GPUs" << std::endl;

  Mlp model(6);
  model->eval();

  std::vector<std::shared_ptr<MlpImpl>> replicas;
  for (const auto& device : devices) {
    replicas.push_back(std::dynamic_pointer_cast<MlpImpl>(model->clone(device)));
  }

  auto input = torch::randn({static_cast<int64_t>(devices.size()) * 8, 6});
  auto pieces = input.chunk(devices.size());
  std::vector<torch::Tensor> outputs(devices.size());

  std::vector<std::thread> threads;
  for (size_t i = 0; i < pieces.size(); ++i) {
    threads.emplace_back([&, i] {
      torch::NoGradGuard no_grad;
      auto x = pieces[i].to(devices[i]);
      outputs[i] = replicas[i]->forward(x);
    });
  }
  for (auto& thread : threads) thread.join();

  for (auto& output : outputs) output = output.to(torch::kCPU);
  auto result = torch::cat(outputs);

  torch::NoGradGuard no_grad;
  auto expected = model->forward(input);
  std::cout << "difference to the CPU: " << (result - expected).abs().max().item<float>() << std::endl;
  return 0;
}
