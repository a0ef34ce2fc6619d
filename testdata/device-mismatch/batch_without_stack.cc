// A loader without collation hands out vectors of samples.
#include <torch/torch.h>

#include <vector>

class Points : public torch::data::Dataset<Points> {
 public:
  torch::data::Example<> get(size_t) override { return {torch::rand({2}), torch::rand({1})}; }
  torch::optional<size_t> size() const override { return 8; }
};

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(2, 1);
  model->to(device);
  auto loader = torch::data::make_data_loader(Points(), 4);
  for (std::vector<torch::data::Example<>>& batch : *loader) {
    std::vector<torch::Tensor> xs, ys;
    for (auto& sample : batch) {
      xs.push_back(sample.data);
      ys.push_back(sample.target);
    }
    auto x = torch::stack(xs).to(device);
    auto y = torch::stack(ys);
    auto loss = torch::mse_loss(model(x), y);  // expect: device-mismatch
  }
}
