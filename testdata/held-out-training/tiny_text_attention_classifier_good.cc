#include <torch/torch.h>

#include <cmath>
#include <iostream>

#include "runtime/torch/data_parallel.h"

namespace pc = placecheck::parallel;

// A little transformer-ish text classifier. The sinusoid table is computed on the fly.
struct TinyTextImpl : torch::nn::Cloneable<TinyTextImpl> {
  int64_t vocab, dim, classes;
  torch::nn::Embedding emb{nullptr};
  torch::nn::Linear query{nullptr}, key{nullptr}, value{nullptr}, head{nullptr};

  TinyTextImpl(int64_t vocab_, int64_t dim_, int64_t classes_)
      : vocab(vocab_), dim(dim_), classes(classes_) {
    reset();
  }

  void reset() override {
    emb = register_module("emb", torch::nn::Embedding(vocab, dim));
    query = register_module("query", torch::nn::Linear(dim, dim));
    key = register_module("key", torch::nn::Linear(dim, dim));
    value = register_module("value", torch::nn::Linear(dim, dim));
    head = register_module("head", torch::nn::Linear(dim, classes));
  }

  torch::Tensor positions(int64_t length, const torch::Tensor& like) const {
    auto options = torch::TensorOptions().dtype(like.dtype()).device(like.device());
    auto pos = torch::arange(length, options).unsqueeze(1);
    auto freq = torch::exp(torch::arange(0, dim, 2, options) * (-std::log(10000.0) / dim));
    auto table = torch::zeros({length, dim}, options);
    table.slice(1, 0, dim, 2) = torch::sin(pos * freq);
    table.slice(1, 1, dim, 2) = torch::cos(pos * freq);
    return table;
  }

  torch::Tensor forward(torch::Tensor tokens) {
    auto x = emb(tokens);
    x = x + positions(tokens.size(1), x);
    auto scores = torch::bmm(query(x), key(x).transpose(1, 2)) / std::sqrt(double(dim));
    auto pad = tokens.eq(0).unsqueeze(1).expand_as(scores);
    scores = scores.masked_fill(pad, -1e9);
    auto mixed = torch::bmm(torch::softmax(scores, -1), value(x));
    return head(mixed.mean(1));
  }
};
TORCH_MODULE(TinyText);

int main() {
  torch::manual_seed(0);
  TinyText model(30, 8, 3);
  pc::DataParallel parallel(model, {0, 1}, torch::Device("cuda:1"));
  // Wrapping first and moving afterwards is fine, the wrapper passes to() on.
  parallel.to(torch::Device("cuda:0"));

  torch::optim::Adam adam(parallel.parameters(), torch::optim::AdamOptions(1e-2));
  torch::nn::CrossEntropyLoss criterion;

  for (int step = 0; step < 4; ++step) {
    auto tokens = torch::randint(0, 30, {10, 6}, torch::kLong);
    auto labels = tokens.select(1, 0).remainder(3);

    adam.zero_grad();
    auto logits = parallel.forward(tokens);
    auto target = labels.to(*parallel.output_device());
    auto loss = criterion(logits, target);
    loss.backward();
    adam.step();

    auto hits = logits.argmax(-1).eq(target).sum().item<int64_t>();
    std::cout << "step " << step << ": loss=" << loss.item<float>() << " hits=" << hits << "/10\n";
  }
  return 0;
}
