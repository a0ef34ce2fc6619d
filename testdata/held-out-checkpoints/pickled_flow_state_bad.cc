#include <torch/torch.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

// State dict as a pickled dictionary, the format of the Python tools.

using Dict = c10::impl::GenericDict;

Dict to_dict(const torch::nn::Module& module) {
  Dict dict(c10::StringType::get(), c10::TensorType::get());
  for (const auto& p : module.named_parameters()) {
    dict.insert(p.key(), p.value().detach().cpu());
  }
  return dict;
}

void write_file(const std::string& path, const Dict& dict) {
  std::vector<char> bytes = torch::pickle_save(dict);
  std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
}

Dict read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream buffer;
  buffer << in.rdbuf();
  const std::string text = buffer.str();
  return torch::pickle_load({text.begin(), text.end()}).toGenericDict();
}

struct FlowImpl : torch::nn::Cloneable<FlowImpl> {
  FlowImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    log_scale = register_parameter("log_scale", torch::zeros({4}));
  }
  torch::Tensor forward(torch::Tensor x) { return fc(x) * log_scale.exp(); }
  torch::nn::Linear fc{nullptr};
  torch::Tensor log_scale;
};
TORCH_MODULE(Flow);

// Alternates the batches between two cards.
struct TwoCardsImpl : torch::nn::Module {
  Flow module{nullptr};
  explicit TwoCardsImpl(Flow inner) : module(register_module("module", inner)) {}

  torch::Tensor forward(const torch::Tensor& batch) {
    auto halves = batch.chunk(2);
    auto other = std::dynamic_pointer_cast<FlowImpl>(module->clone(torch::Device("cuda:1")));
    auto a = module->forward(halves[0].to("cuda:0"));
    auto b = other->forward(halves[1].to("cuda:1"));
    return torch::cat({a, b.to(a.device())});
  }
};
TORCH_MODULE(TwoCards);

int main() {
  torch::manual_seed(16);
  const std::string path = "/tmp/flow.pkl";
  TwoCards wrapped{Flow()};
  wrapped->to(torch::Device("cuda:0"));
  std::cout << "output " << wrapped->forward(torch::randn({4, 4})).sizes() << "\n";
  write_file(path, to_dict(*wrapped));

  Flow flow;
  auto dict = read_file(path);
  std::cout << dict.size() << " tensors in the file\n";
  {
    torch::NoGradGuard no_grad;
    flow->fc->weight.copy_(dict.at("fc.weight").toTensor()); // expect-miss: state-dict-prefix
    flow->fc->bias.copy_(dict.at("fc.bias").toTensor());
    flow->log_scale.copy_(dict.at("log_scale").toTensor());
  }
  flow->to(torch::Device("cuda:0"));
  std::cout << flow->forward(torch::ones({1, 4}, torch::kCUDA)).cpu() << "\n";
  std::remove(path.c_str());
}
