#include <torch/torch.h>

#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

// Holds a network together with the devices that it is spread over.
template <typename Net>
class Spread : public torch::nn::Module {
 public:
  Spread(std::shared_ptr<Net> net, std::vector<torch::Device> devices) : devices_(std::move(devices)) {
    net_ = register_module("module", std::move(net));
    net_->to(devices_.front());
  }

  torch::Tensor forward(const torch::Tensor& input) {
    auto pieces = input.chunk(static_cast<int64_t>(devices_.size()));
    std::vector<torch::Tensor> outputs;
    for (size_t i = 0; i < pieces.size(); ++i) {
      auto replica = std::dynamic_pointer_cast<Net>(net_->clone(devices_[i]));
      outputs.push_back(replica->forward(pieces[i].to(devices_[i])).to(devices_.front()));
    }
    return torch::cat(outputs);
  }

 private:
  std::shared_ptr<Net> net_;
  std::vector<torch::Device> devices_;
};

struct Tagger : torch::nn::Cloneable<Tagger> {
  Tagger() { reset(); }
  void reset() override {
    embed = register_module("embed", torch::nn::Embedding(20, 8));
    out = register_module("out", torch::nn::Linear(8, 5));
  }
  torch::Tensor forward(const torch::Tensor& tokens) { return out(embed(tokens).mean(1)); }
  torch::nn::Embedding embed{nullptr};
  torch::nn::Linear out{nullptr};
};

using StateDict = std::map<std::string, torch::Tensor>;

StateDict state_dict(const torch::nn::Module& module) {
  StateDict state;
  for (const auto& item : module.named_parameters()) state[item.key()] = item.value().detach().cpu().clone();
  for (const auto& item : module.named_buffers()) state[item.key()] = item.value().detach().cpu().clone();
  return state;
}

void load_state_dict(torch::nn::Module& module, const StateDict& state) {
  torch::NoGradGuard guard;
  for (auto& item : module.named_parameters()) {
    item.value().copy_(state.at(item.key())); // expect: state-dict-prefix
  }
  for (auto& item : module.named_buffers()) {
    item.value().copy_(state.at(item.key()));
  }
}

int main() {
  std::vector<torch::Device> devices;
  for (int i = 0; i < 2; ++i) devices.emplace_back(torch::kCUDA, i);

  auto spread = std::make_shared<Spread<Tagger>>(std::make_shared<Tagger>(), devices);
  auto tokens = torch::randint(0, 20, {6, 4}, torch::kLong);
  {
    torch::NoGradGuard guard;
    std::cout << "scores " << spread->forward(tokens).sizes() << "\n";
  }

  const StateDict best = state_dict(*spread);
  std::cout << "kept " << best.size() << " tensors\n";

  auto single = std::make_shared<Tagger>();
  single->to(devices[1]);
  load_state_dict(*single, best);

  torch::NoGradGuard guard;
  single->eval();
  std::cout << single->forward(tokens.to(devices[1])).argmax(1).cpu() << "\n";
  return 0;
}
