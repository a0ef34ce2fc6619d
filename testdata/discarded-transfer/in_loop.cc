// Transfers of a batch, of a loop variable, of the parts of a vector and of the parameters of a
// module, all dropped.
#include <torch/torch.h>

#include <vector>

class Points : public torch::data::Dataset<Points> {
 public:
  torch::data::Example<> get(size_t) override { return {torch::rand({2}), torch::rand({1})}; }
  torch::optional<size_t> size() const override { return 8; }
};

int main() {
  torch::Device device(torch::kCUDA);
  auto loader = torch::data::make_data_loader(Points().map(torch::data::transforms::Stack<>()), 4);
  for (auto& batch : *loader) {
    batch.data.to(device);    // expect: discarded-transfer
    batch.target.to(device);  // expect: discarded-transfer
    auto sum = batch.data.sum() + batch.target.sum();
  }
  std::vector<torch::Tensor> parts(3, torch::zeros({2}));
  for (auto& part : parts) part.to(device);  // expect: discarded-transfer
  for (auto& part : parts) part = part.to(device);
  torch::nn::Linear source(2, 1), copy(2, 1);
  auto from = source->parameters(), into = copy->parameters();
  for (size_t i = 0; i < from.size(); ++i) {
    into[i] = from[i].to(device);  // expect: discarded-transfer
  }
}
