#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <utility>

// The whole data set fits on the GPU, so it is put there once and the loader only picks rows.
class GpuImages : public torch::data::datasets::Dataset<GpuImages> {
 public:
  GpuImages(int64_t n, torch::Device device)
      : images_(torch::randint(0, 256, {n, 3, 8, 8}, torch::kFloat).to(device)),
        labels_(torch::randint(0, 2, {n}, torch::kLong).to(device)) {
    images_.div_(255.0);
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
    features = register_module(
        "features", torch::nn::Sequential(
                        torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3).stride(2).padding(1)),
                        torch::nn::ReLU(), torch::nn::AdaptiveAvgPool2d(1), torch::nn::Flatten()));
    classifier = register_module("classifier", torch::nn::Linear(4, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return classifier(features->forward(x)); }
  torch::nn::Sequential features{nullptr};
  torch::nn::Linear classifier{nullptr};
};
TORCH_MODULE(ConvNet);

template <typename Loader>
float train_epoch(ConvNet& net, Loader& loader, torch::optim::Optimizer& optimizer) {
  float running = 0;
  int batches = 0;
  for (auto& batch : loader) { // expect: device-mismatch
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
    running += loss.template item<float>();
    ++batches;
  }
  return running / batches;
}

int main() {
  torch::manual_seed(19);
  const torch::Device device(torch::kCUDA, 0);

  auto dataset = GpuImages(20, device)
                     .map(torch::data::transforms::Normalize<>({0.485, 0.456, 0.406},
                                                               {0.229, 0.224, 0.225}))
                     .map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      std::move(dataset), torch::data::DataLoaderOptions().batch_size(6).drop_last(false));

  ConvNet net;
  net->to(device);
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(1e-3).weight_decay(1e-4));

  for (int epoch = 0; epoch < 2; ++epoch) {
    std::cout << "epoch " << epoch << " " << train_epoch(net, *loader, optimizer) << "\n";
  }
  return 0;
}
