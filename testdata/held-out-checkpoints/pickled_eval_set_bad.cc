#include <torch/torch.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

// Evaluation tensors are exchanged with the Python side of the project as a pickled dictionary.

static const char* kFile = "/tmp/eval_set.bin";

void write_eval_set() {
  c10::Dict<std::string, torch::Tensor> dict;
  dict.insert("inputs", torch::randn({10, 9}));
  dict.insert("labels", torch::randint(0, 3, {10}, torch::kLong));
  auto bytes = torch::pickle_save(dict);
  std::ofstream out(kFile, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<char> slurp(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct TinyNet : torch::nn::Module {
  TinyNet() {
    fc1 = register_module("fc1", torch::nn::Linear(9, 18));
    drop = register_module("drop", torch::nn::Dropout(0.2));
    fc2 = register_module("fc2", torch::nn::Linear(18, 3));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    auto h = drop->forward(torch::relu(fc1->forward(x)));
    return fc2->forward(h);
  }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
  torch::nn::Dropout drop{nullptr};
};

double accuracy(TinyNet& net, const torch::Tensor& inputs, const torch::Tensor& labels) {
  torch::NoGradGuard no_grad;
  net.eval();
  auto predicted = net.forward(inputs).argmax(1); // expect: device-mismatch
  return predicted.eq(labels).to(torch::kFloat).mean().item<double>(); // expect: device-mismatch
}

int main() {
  torch::manual_seed(31);
  write_eval_set();

  TinyNet net;
  net.to(torch::Device(torch::kCUDA, 0));
  torch::optim::SGD optimizer(net.parameters(), 0.05);
  for (int i = 0; i < 3; ++i) {
    auto x = torch::randn({12, 9}, torch::kCUDA);
    auto y = torch::randint(0, 3, {12}, torch::kLong).cuda();
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(net.forward(x), y).backward();
    optimizer.step();
  }

  auto eval_set = torch::pickle_load(slurp(kFile)).toGenericDict();
  auto inputs = eval_set.at("inputs").toTensor();
  auto labels = eval_set.at("labels").toTensor();
  std::cout << "evaluating " << inputs.size(0) << " examples\n";
  std::cout << "accuracy " << accuracy(net, inputs, labels) << "\n";
  std::remove(kFile);
}
