#include <torch/torch.h>

#include <iostream>
#include <memory>

// Language model over two GPUs; input embedding and output projection share their weights.
struct InputStageImpl : torch::nn::Module {
  InputStageImpl(int64_t vocab, int64_t dim) : embedding(vocab, dim), lstm(dim, dim) {
    register_module("embedding", embedding);
    register_module("lstm", lstm);
  }
  // tokens: [time, batch]
  torch::Tensor forward(const torch::Tensor& tokens) {
    return std::get<0>(lstm(embedding(tokens)));
  }
  torch::nn::Embedding embedding;
  torch::nn::LSTM lstm;
};
TORCH_MODULE(InputStage);

struct OutputStageImpl : torch::nn::Module {
  OutputStageImpl(int64_t vocab, int64_t dim) : lstm(dim, dim), decoder(dim, vocab) {
    register_module("lstm", lstm);
    register_module("decoder", decoder);
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return decoder(std::get<0>(lstm(x))); // expect: device-mismatch
  }
  torch::nn::LSTM lstm;
  torch::nn::Linear decoder;
};
TORCH_MODULE(OutputStage);

struct LanguageModel {
  InputStage input;
  OutputStage output;
  torch::Device first{torch::kCUDA, 0};
  torch::Device second{torch::kCUDA, 1};

  LanguageModel(int64_t vocab, int64_t dim, bool tie) : input(vocab, dim), output(vocab, dim) {
    input->to(first);
    output->to(second);
    if (tie) output->decoder->weight = input->embedding->weight;
  }

  torch::Tensor forward(const torch::Tensor& tokens) {
    auto hidden = input->forward(tokens.to(first));
    return output->forward(hidden.to(second));
  }

  std::vector<torch::Tensor> parameters() const {
    auto params = input->parameters();
    for (const auto& p : output->parameters()) params.push_back(p);
    return params;
  }
};

int main() {
  torch::manual_seed(6);
  const int64_t vocab = 25, dim = 8, bptt = 5;
  LanguageModel model(vocab, dim, /*tie=*/true);
  torch::optim::SGD sgd(model.parameters(), torch::optim::SGDOptions(0.5));

  // [time, batch]
  auto corpus = torch::randint(0, vocab, {31, 4}, torch::kLong);
  double total = 0;
  int pieces = 0;
  for (int64_t t = 0; t + 1 < corpus.size(0); t += bptt) {
    auto length = std::min(bptt, corpus.size(0) - 1 - t);
    auto source = corpus.narrow(0, t, length);
    auto target = corpus.narrow(0, t + 1, length).to(model.second);

    sgd.zero_grad();
    auto logits = model.forward(source);
    auto loss = torch::nn::functional::cross_entropy(logits.flatten(0, 1), target.flatten()); // expect: device-mismatch
    loss.backward();
    sgd.step();
    total += loss.item<double>();
    ++pieces;
  }
  std::cout << "perplexity " << std::exp(total / pieces) << "\n";
  return 0;
}
