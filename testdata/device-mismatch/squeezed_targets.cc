// squeeze() leaves a batch of several examples its dimension; a batch of one becomes a 0-dim
// tensor, which a loss over classes refuses as well.
#include <torch/torch.h>

class Digits : public torch::data::Dataset<Digits> {
 public:
  torch::data::Example<> get(size_t index) override {
    return {torch::rand({28, 28}), torch::tensor(static_cast<int64_t>(index % 10))};
  }
  torch::optional<size_t> size() const override { return 8; }
};

void evaluate(torch::nn::Linear& model, torch::Device device, size_t batch_size) {
  auto images = Digits().map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(images), batch_size);
  for (auto& batch : *loader) {
    auto target = batch.target.squeeze();
    auto output = model->forward(batch.data.flatten(1).to(device));
    auto hits = output.argmax(1).eq(target).sum();  // expect: device-mismatch
    std::cout << hits << "\n";
  }
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(784, 10);
  model->to(device);
  evaluate(model, device, 4);

  auto images = Digits().map(torch::data::transforms::Stack<>());
  auto one_by_one = torch::data::make_data_loader(
      std::move(images), torch::data::DataLoaderOptions().batch_size(1).workers(2));
  torch::nn::CrossEntropyLoss criterion;
  for (auto& batch : *one_by_one) {
    auto target = batch.target.squeeze();
    auto output = model->forward(batch.data.flatten(1).to(device));
    auto hits = output.argmax(1).eq(target).sum();
    auto loss = criterion(output[0], target);  // expect: device-mismatch
    auto same =
        torch::nll_loss(torch::log_softmax(output[0], 0), target);  // expect: device-mismatch
    std::cout << hits << loss << same << "\n";
  }
}
