#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

using placecheck::parallel::DataParallel;
using torch::serialize::InputArchive;
using torch::serialize::OutputArchive;

// Sequence-to-sequence pair; both halves run on all GPUs, before and after the restart.

struct HalfImpl : torch::nn::Cloneable<HalfImpl> {
  HalfImpl(int64_t from, int64_t to) : from_(from), to_(to) { reset(); }
  void reset() override {
    project = register_module("project", torch::nn::Linear(from_, to_));
    scale = register_parameter("scale", torch::ones({to_}));
  }
  torch::Tensor forward(torch::Tensor x) { return torch::tanh(project(x)) * scale; }

  torch::nn::Linear project{nullptr};
  torch::Tensor scale;

 private:
  int64_t from_, to_;
};
TORCH_MODULE(Half);

class Pair {
 public:
  Pair() {
    parts_["encoder"] = std::make_shared<DataParallel>(Half(6, 3));
    parts_["decoder"] = std::make_shared<DataParallel>(Half(3, 6));
  }

  void to(torch::Device device) {
    for (auto& [name, part] : parts_) part->to(device);
  }

  torch::Tensor run(const torch::Tensor& x) {
    return parts_.at("decoder")->forward(parts_.at("encoder")->forward(x));
  }

  std::vector<torch::Tensor> parameters() const {
    std::vector<torch::Tensor> all;
    for (const auto& [name, part] : parts_) {
      for (auto& p : part->parameters()) all.push_back(p);
    }
    return all;
  }

  void save(std::ostream& out) const {
    OutputArchive root;
    for (const auto& [name, part] : parts_) {
      OutputArchive nested;
      part->save(nested);
      root.write(name, nested);
    }
    root.save_to(out);
  }

  void load(std::istream& in) {
    InputArchive root;
    root.load_from(in);
    for (auto& [name, part] : parts_) {
      InputArchive nested;
      root.read(name, nested);
      part->load(nested);
    }
  }

 private:
  std::map<std::string, std::shared_ptr<DataParallel>> parts_;
};

int main() {
  torch::manual_seed(50);
  const torch::Device device("cuda:0");
  std::stringstream file;
  {
    Pair pair;
    pair.to(device);
    torch::optim::SGD optimizer(pair.parameters(), 0.1);
    for (int i = 0; i < 2; ++i) {
      auto x = torch::rand({8, 6}, device);
      optimizer.zero_grad();
      auto loss = torch::mse_loss(pair.run(x), x);
      loss.backward();
      optimizer.step();
      std::cout << "loss " << loss.item<float>() << "\n";
    }
    pair.save(file);
  }

  Pair restarted;
  restarted.load(file);
  restarted.to(device);
  torch::NoGradGuard no_grad;
  auto x = torch::rand({4, 6});
  std::cout << "after the restart "
            << torch::mse_loss(restarted.run(x), x.to(device)).item<float>() << "\n";
}
