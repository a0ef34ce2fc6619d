#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <vector>

using torch::Tensor;
namespace nn = torch::nn;

struct ConvNetImpl : nn::Cloneable<ConvNetImpl> {
  nn::Conv2d conv1{nullptr};
  nn::Linear fc{nullptr};

  ConvNetImpl() { reset(); }
  void reset() override {
    conv1 = register_module("conv1", nn::Conv2d(nn::Conv2dOptions(1, 4, 3).padding(1)));
    fc = register_module("fc", nn::Linear(4 * 6 * 6, 10));
  }
  Tensor forward(Tensor x) {
    x = torch::relu(conv1->forward(x));
    return fc->forward(x.flatten(1));
  }
};
TORCH_MODULE(ConvNet);

// Runs the net on all of the devices, one slice of the batch each.
struct MultiGpuImpl : nn::Module {
  ConvNet net{nullptr};
  std::vector<torch::Device> devices;

  MultiGpuImpl(ConvNet inner, std::vector<torch::Device> devs)
      : net(register_module("module", inner)), devices(std::move(devs)) {
    net->to(devices[0]);
  }

  Tensor forward(Tensor batch) {
    auto slices = batch.chunk(devices.size());
    std::vector<Tensor> outputs;
    for (size_t i = 0; i < slices.size(); ++i) {
      auto replica = std::dynamic_pointer_cast<ConvNetImpl>(net->clone(devices[i]));
      outputs.push_back(replica->forward(slices[i].to(devices[i])).to(devices[0]));
    }
    return torch::cat(outputs);
  }
};
TORCH_MODULE(MultiGpu);

int main() {
  torch::manual_seed(3);
  const char* file = "/tmp/convnet.pt";

  std::vector<torch::Device> devices{{torch::kCUDA, 0}, {torch::kCUDA, 1}};
  MultiGpu parallel_net(ConvNet(), devices);
  auto logits = parallel_net->forward(torch::randn({6, 1, 6, 6}));
  std::cout << "trained, logits " << logits.sizes() << "\n";
  torch::save(parallel_net, file);

  // Evaluation needs only one card.
  ConvNet single;
  torch::load(single, file); // expect: state-dict-prefix
  single->to(torch::kCUDA);
  single->eval();
  torch::NoGradGuard guard;
  auto scores = single->forward(torch::randn({2, 1, 6, 6}, torch::kCUDA));
  std::cout << "classes " << scores.argmax(1).cpu() << "\n";
  std::remove(file);
}
