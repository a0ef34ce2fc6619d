#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

// Trains on all given GPUs with a hand-written scatter. The last batch of an epoch is smaller and
// may have fewer pieces than there are GPUs.
using Example = torch::data::Example<>;

class Blobs : public torch::data::datasets::Dataset<Blobs> {
 public:
  explicit Blobs(size_t n) {
    auto centers = torch::tensor({{2.f, 0.f}, {-2.f, 0.f}, {0.f, 3.f}});
    targets_ = torch::arange(static_cast<int64_t>(n)).remainder(3);
    points_ = centers.index_select(0, targets_) + 0.5 * torch::randn({static_cast<int64_t>(n), 2});
  }
  Example get(size_t index) override { return {points_[index], targets_[index]}; }
  torch::optional<size_t> size() const override { return points_.size(0); }

 private:
  torch::Tensor points_, targets_;
};

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    hidden = register_module("hidden", torch::nn::Linear(2, 8));
    out = register_module("out", torch::nn::Linear(8, 3));
  }
  torch::Tensor forward(torch::Tensor x) { return out(torch::relu(hidden(x))); }
  torch::nn::Linear hidden{nullptr}, out{nullptr};
};
TORCH_MODULE(Net);

std::vector<torch::Tensor> scatter(const torch::Tensor& batch,
                                   const std::vector<torch::Device>& devices) {
  std::vector<torch::Tensor> pieces;
  auto chunks = batch.chunk(static_cast<int64_t>(devices.size()));
  for (size_t i = 0; i < chunks.size(); ++i) pieces.push_back(chunks[i].to(devices[i]));
  return pieces;
}

torch::Tensor gather(const std::vector<torch::Tensor>& outputs, torch::Device device) {
  std::vector<torch::Tensor> moved;
  for (const auto& output : outputs) moved.push_back(output.to(device));
  return torch::cat(moved, 0);
}

int main() {
  torch::manual_seed(33);
  const std::vector<torch::Device> devices{torch::Device("cuda:0"), torch::Device("cuda:1")};
  const auto main_device = devices.front();

  Net net;
  net->to(main_device);
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.2));

  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      Blobs(25).map(torch::data::transforms::Stack<>()), torch::data::DataLoaderOptions(8));

  for (int epoch = 0; epoch < 3; ++epoch) {
    double loss_sum = 0;
    int64_t correct = 0, seen = 0;
    for (auto& batch : *loader) {
      auto inputs = scatter(batch.data, devices);
      std::vector<torch::Tensor> outputs;
      std::vector<Net> replicas;
      for (size_t i = 0; i < inputs.size(); ++i) {
        replicas.emplace_back(std::dynamic_pointer_cast<NetImpl>(net->clone(devices[i])));
        outputs.push_back(replicas[i]->forward(inputs[i]));
      }
      auto logits = gather(outputs, main_device);
      auto target = batch.target.to(main_device);
      auto loss = torch::nn::functional::cross_entropy(logits, target);
      loss.backward();

      torch::NoGradGuard guard;
      auto params = net->parameters();
      sgd.zero_grad();
      for (size_t k = 0; k < params.size(); ++k) {
        auto total = torch::zeros_like(params[k]);
        for (auto& replica : replicas) total += replica->parameters()[k].grad().to(main_device);
        params[k].mutable_grad() = total;
      }
      sgd.step();
      loss_sum += loss.item<double>() * target.size(0);
      correct += logits.argmax(1).eq(target).sum().item<int64_t>();
      seen += target.size(0);
    }
    std::cout << "epoch " << epoch << " loss " << loss_sum / seen << " accuracy " << correct << "/"
              << seen << "\n";
  }
}
