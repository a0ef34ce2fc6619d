// One data set places its samples on the card already, another leaves them on the CPU.
#include <torch/torch.h>

class PlacedData : public torch::data::Dataset<PlacedData> {
 public:
  explicit PlacedData(torch::Device device)
      : x_(torch::rand({16, 4}).to(device)), y_(torch::rand({16, 1}).to(device)) {}
  torch::data::Example<> get(size_t i) override {
    return {x_[static_cast<int64_t>(i)], y_[static_cast<int64_t>(i)]};
  }
  torch::optional<size_t> size() const override { return 16; }

 private:
  torch::Tensor x_, y_;
};

class HostData : public torch::data::Dataset<HostData> {
 public:
  torch::data::Example<> get(size_t) override { return {torch::rand({4}), torch::rand({1})}; }
  torch::optional<size_t> size() const override { return 16; }
};

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(4, 1);
  model->to(device);
  auto placed = torch::data::make_data_loader(
      PlacedData(device).map(torch::data::transforms::Stack<>()), 4);
  for (auto& batch : *placed) {
    auto loss = torch::mse_loss(model(batch.data), batch.target);
    loss.backward();
  }
  auto host =
      torch::data::make_data_loader(HostData().map(torch::data::transforms::Stack<>()), 4);
  for (auto& batch : *host) {
    auto x = batch.data.to(device), y = batch.target.to(device);
    auto loss = torch::mse_loss(model(x), y);
    auto wrong = torch::mse_loss(model(x), batch.target);  // expect: device-mismatch
  }
}
