#include <torch/torch.h>

#include <iostream>

// The whole (small) data set is kept on the GPU, so that no batch has to be copied.

class Stripes : public torch::data::datasets::Dataset<Stripes> {
 public:
  Stripes(int64_t count, torch::Device device) {
    labels_ = torch::randint(2, {count}, torch::kLong);
    images_ = torch::rand({count, 1, 6, 6}) * 0.3;
    for (int64_t i = 0; i < count; ++i) {
      const bool vertical = labels_[i].item<int64_t>() == 1;
      images_[i][0].select(vertical ? 1 : 0, i % 6).add_(0.7);
    }
    images_ = images_.to(device);
    labels_ = labels_.to(device);
  }

  torch::data::Example<> get(size_t index) override {
    return {images_[static_cast<int64_t>(index)], labels_[static_cast<int64_t>(index)]};
  }

  torch::optional<size_t> size() const override { return images_.size(0); }

 private:
  torch::Tensor images_, labels_;
};

struct ConvNetImpl : torch::nn::Module {
  ConvNetImpl() {
    conv = register_module("conv", torch::nn::Conv2d(1, 6, 3));
    fc = register_module("fc", torch::nn::Linear(6 * 4 * 4, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return fc(torch::relu(conv(x)).flatten(1)); }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(ConvNet);

int main() {
  torch::manual_seed(27);
  const torch::Device device(torch::kCUDA, 0);

  auto dataset = Stripes(24, device)
                     .map(torch::data::transforms::Normalize<>({0.25}, {0.3}))
                     .map(torch::data::transforms::Stack<>());
  const auto size = dataset.size().value();
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      std::move(dataset), torch::data::DataLoaderOptions().batch_size(8));

  ConvNet net;
  net->to(device);
  torch::optim::Adam optimizer(net->parameters(), 1e-2);

  for (int epoch = 0; epoch < 3; ++epoch) {
    size_t hits = 0;
    double total = 0;
    for (auto& batch : *loader) { // expect: device-mismatch
      auto output = net(batch.data);
      auto loss = torch::nn::functional::cross_entropy(output, batch.target);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      hits += output.argmax(1).eq(batch.target).sum().item<int64_t>();
      total += loss.item<double>();
    }
    std::cout << "epoch " << epoch << " loss " << total << " accuracy " << double(hits) / size << "\n";
  }
}
