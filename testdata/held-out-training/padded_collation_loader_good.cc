#include <torch/torch.h>

#include <algorithm>
#include <iostream>
#include <vector>

// Sequences of different lengths, padded by a collation of their own.

struct Packed {
  torch::Tensor values;
  torch::Tensor mask;
  torch::Tensor targets;

  Packed to(torch::Device device) const {
    return {values.to(device), mask.to(device), targets.to(device)};
  }
};

class Waves : public torch::data::datasets::Dataset<Waves> {
 public:
  explicit Waves(size_t count) : count_(count) {}
  torch::data::Example<> get(size_t index) override {
    const auto length = static_cast<int64_t>(4 + index % 5);
    const double rate = 0.2 + 0.05 * (index % 7);
    auto wave = torch::sin(torch::arange(length).to(torch::kFloat) * rate);
    return {wave, torch::tensor(static_cast<float>(rate))};
  }
  torch::optional<size_t> size() const override { return count_; }

 private:
  size_t count_;
};

struct Pad : torch::data::transforms::Collation<Packed, std::vector<torch::data::Example<>>> {
  Packed apply_batch(std::vector<torch::data::Example<>> examples) override {
    int64_t longest = 0;
    for (const auto& e : examples) longest = std::max(longest, e.data.size(0));
    const auto rows = static_cast<int64_t>(examples.size());
    Packed packed{torch::zeros({rows, longest}), torch::zeros({rows, longest}), torch::zeros({rows})};
    for (int64_t i = 0; i < rows; ++i) {
      const auto& e = examples[i];
      packed.values[i].slice(0, 0, e.data.size(0)).copy_(e.data);
      packed.mask[i].slice(0, 0, e.data.size(0)).fill_(1);
      packed.targets[i].copy_(e.target);
    }
    return packed;
  }
};

struct RateNetImpl : torch::nn::Module {
  RateNetImpl() {
    rnn = register_module("rnn", torch::nn::GRU(torch::nn::GRUOptions(1, 12).batch_first(true)));
    head = register_module("head", torch::nn::Linear(12, 1));
  }
  torch::Tensor forward(const Packed& batch) {
    auto start = torch::zeros({1, batch.values.size(0), 12}, batch.values.options());
    auto states = std::get<0>(rnn->forward(batch.values.unsqueeze(2), start));
    auto weight = batch.mask.unsqueeze(2);
    auto mean = (states * weight).sum(1) / weight.sum(1);
    return head(mean).squeeze(1);
  }
  torch::nn::GRU rnn{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(RateNet);

int main() {
  torch::manual_seed(46);
  torch::Device device("cuda:1");
  RateNet net;
  net->to(device);
  torch::optim::Adam optimizer(net->parameters(), 1e-2);

  auto loader = torch::data::make_data_loader(Waves(22).map(Pad()),
                                              torch::data::DataLoaderOptions().batch_size(8).workers(1));
  for (int epoch = 0; epoch < 3; ++epoch) {
    double total = 0;
    int64_t seen = 0;
    for (auto& host_batch : *loader) {
      auto batch = host_batch.to(device);
      auto loss = torch::mse_loss(net(batch), batch.targets);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      total += loss.item<double>() * batch.targets.size(0);
      seen += batch.targets.size(0);
    }
    std::cout << "epoch " << epoch << " loss " << total / seen << "\n";
  }
}
