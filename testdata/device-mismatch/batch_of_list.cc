// A data set hands out lists of examples, which are stacked: the targets have a dimension.
#include <torch/torch.h>

#include <cstdio>
#include <utility>
#include <vector>

class Digits
    : public torch::data::datasets::BatchDataset<Digits, std::vector<torch::data::Example<>>> {
 public:
  std::vector<torch::data::Example<>> get_batch(torch::ArrayRef<size_t> indices) override {
    std::vector<torch::data::Example<>> examples;
    for (size_t i : indices)
      examples.emplace_back(images_[static_cast<int64_t>(i)], targets_[static_cast<int64_t>(i)]);
    return examples;
  }
  torch::optional<size_t> size() const override { return 8; }

 private:
  torch::Tensor images_ = torch::rand({8, 4});
  torch::Tensor targets_ = torch::randint(2, {8});
};

int main() {
  torch::Device device(torch::kCUDA, 0);
  torch::nn::Linear net(4, 2);
  net->to(device);
  auto loader = torch::data::make_data_loader(Digits().map(torch::data::transforms::Stack<>()),
                                              /*batch_size=*/4);
  int64_t correct = 0;
  for (auto& batch : *loader) {
    auto predicted = net->forward(batch.data.to(device)).argmax(1);
    correct += predicted.eq(batch.target).sum().item<int64_t>();  // expect: device-mismatch
  }
  std::printf("%ld correct\n", static_cast<long>(correct));
}
