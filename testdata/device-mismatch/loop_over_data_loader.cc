// A training loop moves the images of a batch and forgets the labels.
#include <torch/torch.h>

class Digits : public torch::data::Dataset<Digits> {
 public:
  torch::data::Example<> get(size_t index) override {
    return {torch::rand({16}), torch::tensor(static_cast<int64_t>(index % 4))};
  }
  torch::optional<size_t> size() const override { return 32; }
};

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(16, 4)); }
  torch::Tensor forward(torch::Tensor x) { return torch::log_softmax(fc->forward(x), 1); }
  torch::nn::Linear fc{nullptr};
};

int main() {
  torch::Device device = torch::kCUDA;
  auto net = std::make_shared<Net>();
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1));
  auto data = Digits().map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(data), 8);
  for (auto& batch : *loader) {
    auto images = batch.data.to(device);
    auto labels = batch.target;
    optimizer.zero_grad();
    auto output = net->forward(images);
    auto loss = torch::nll_loss(output, labels);  // expect: device-mismatch
    loss.backward();
    optimizer.step();
  }
}
