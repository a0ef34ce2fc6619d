#include "analyzer/bench/generate.h"

#include "analyzer/ir/parse.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

namespace placecheck::bench {
namespace {

constexpr unsigned kChain = 30;
constexpr unsigned kLoopEvery = 5;

std::string includes(unsigned number) {
  static constexpr const char* kStandard[] = {"<vector>",  "<iostream>", "<string>", "<map>",
                                              "<fstream>", "<cmath>",    "<random>", "<chrono>"};
  std::string text;
  for (unsigned i = 0; i < 8; ++i)
    if (number >> i & 1) text += std::string("#include ") + kStandard[i] + "\n";
  return text + "#include <torch/torch.h>\n#include <iostream>\n#include <vector>\n\n";
}

std::string block_class(const std::string& name, unsigned layers) {
  std::string text =
      "struct " + name + "Impl : torch::nn::Module {\n  " + name + "Impl(int in, int out) {\n";
  for (unsigned i = 0; i < layers; ++i) {
    std::string layer = "fc" + std::to_string(i);
    text += "    " + layer + " = register_module(\"" + layer + "\", torch::nn::Linear(" +
            (i == 0 ? "in" : "out") + ", out));\n";
  }
  text += "  }\n  torch::Tensor forward(torch::Tensor x) {\n";
  for (unsigned i = 0; i < layers; ++i)
    text += "    x = torch::relu(fc" + std::to_string(i) + "->forward(x));\n";
  text += "    return x + torch::zeros_like(x);\n  }\n";
  for (unsigned i = 0; i < layers; ++i)
    text += "  torch::nn::Linear fc" + std::to_string(i) + "{nullptr};\n";
  return text + "};\nTORCH_MODULE(" + name + ");\n\n";
}

constexpr char kTraining[] = R"(
static std::vector<torch::Tensor> make_batch(int size, int width) {
  std::vector<torch::Tensor> batch;
  batch.push_back(torch::rand({size, width}));
  batch.push_back(torch::randint(10, {size}));
  return batch;
}

static double accuracy(const torch::Tensor& output, const torch::Tensor& target) {
  auto right = output.argmax(1).eq(target).sum();
  return right.item<int64_t>() / static_cast<double>(target.size(0));
}

int main() {
  torch::manual_seed(1);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Block0 first(784, 64);
  Block1 second(64, 10);
  first->to(device);
  second->to(device);
  std::vector<torch::Tensor> parameters = first->parameters();
  for (auto& each : second->parameters()) parameters.push_back(each);
  torch::optim::Adam optimizer(parameters, torch::optim::AdamOptions(1e-3));
  for (int epoch = 0; epoch < 10; ++epoch) {
    double total = 0;
    for (int step = 0; step < 100; ++step) {
      auto batch = make_batch(32, 784);
      auto data = batch[0].to(device);
      auto target = batch[1].to(device);
      optimizer.zero_grad();
      auto output = torch::log_softmax(second->forward(first->forward(data)), 1);
      auto loss = torch::nll_loss(output, target);
      loss.backward();
      optimizer.step();
      total += loss.item<double>() + accuracy(output, target);
    }
    std::cout << epoch << " " << total << "\n";
  }
}
)";

std::string function_text(unsigned number, unsigned functions) {
  std::string name = "f" + std::to_string(number);
  bool is_last = number % kChain == kChain - 1 || number + 1 == functions;
  std::string text = "func \"" + name + "\" key \"" + name +
                     "\" function (x: tensor) -> tensor !0:" + std::to_string(number + 1) + ":1-" +
                     std::to_string(number + 1) + ":9 {\n  slot x: tensor\nbb0:\n";
  text += "  %0 = load x\n  %1 = call method \"at::Tensor::relu\" key \"\" (%0) -> tensor\n";
  text += "  store x, %1\n";
  if (number % kLoopEvery == 0) {
    text += "  jump bb1\nbb1:\n  %2 = call direct \"more\"() -> bool\n  branch %2, bb2, bb3 loop\n";
    text += "bb2:\n  %3 = load x\n  %4 = call direct \"at::add\"(%3, %3) -> tensor\n";
    text += "  store x, %4\n  jump bb1\nbb3:\n";
  }
  text += "  %5 = load x\n";
  if (is_last) return text + "  return %5\n}\n";
  std::string next = "f" + std::to_string(number + 1);
  return text + "  %6 = call direct \"" + next + "\" key \"" + next +
         "\" (%5) -> tensor\n  return %6\n}\n";
}

}  // namespace

std::string training_program(unsigned number) {
  std::string text = includes(number);
  for (unsigned i = 0; i < 2 + number % 4; ++i)
    text += block_class("Block" + std::to_string(i), 2 + (number / 4 + i) % 8);
  return text + kTraining;
}

ir::Unit large_program(unsigned functions) {
  std::string text = "file \"large.cc\"\n";
  for (unsigned i = 0; i < functions; ++i) text += function_text(i, functions);
  text += "func \"main\" key \"main\" function entry () -> int {\nbb0:\n";
  text += "  %0 = call direct \"torch::ones\"() -> tensor\n";
  for (unsigned i = 0; i < functions; i += kChain) {
    std::string name = "f" + std::to_string(i);
    text += "  %" + std::to_string(i + 1) + " = call direct \"" + name + "\" key \"" + name +
            "\" (%0) -> tensor\n";
  }
  text += "  return\n}\n";
  ir::ParseResult result = ir::parse(text);
  if (!result.error.empty()) llvm::report_fatal_error(llvm::StringRef(result.error));
  return std::move(result.unit);
}

}  // namespace placecheck::bench
