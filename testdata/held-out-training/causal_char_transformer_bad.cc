#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <unordered_map>

// Character model with causal self-attention. Masks depend only on the length, so they are cached.
class MaskCache {
 public:
  const torch::Tensor& causal(int64_t length) {
    auto found = masks_.find(length);
    if (found == masks_.end()) {
      auto mask = torch::ones({length, length}, torch::kBool).triu(/*diagonal=*/1);
      found = masks_.emplace(length, mask).first;
    }
    return found->second;
  }

 private:
  std::unordered_map<int64_t, torch::Tensor> masks_;
};

struct AttentionImpl : torch::nn::Module {
  AttentionImpl(int64_t dim, int64_t heads) : heads_(heads) {
    qkv = register_module("qkv", torch::nn::Linear(dim, 3 * dim));
    proj = register_module("proj", torch::nn::Linear(dim, dim));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    const auto b = x.size(0), t = x.size(1), d = x.size(2);
    auto parts = qkv(x).view({b, t, 3, heads_, d / heads_}).permute({2, 0, 3, 1, 4});
    auto q = parts[0], k = parts[1], v = parts[2];
    auto scores = q.matmul(k.transpose(-2, -1)) / std::sqrt(static_cast<double>(d / heads_));
    scores = scores.masked_fill(masks_.causal(t), -std::numeric_limits<float>::infinity()); // expect: device-mismatch, hardcoded-device
    auto y = scores.softmax(-1).matmul(v);
    return proj(y.transpose(1, 2).reshape({b, t, d}));
  }

  torch::nn::Linear qkv{nullptr}, proj{nullptr};

 private:
  int64_t heads_;
  MaskCache masks_;
};
TORCH_MODULE(Attention);

struct CharModelImpl : torch::nn::Module {
  CharModelImpl(int64_t vocab, int64_t dim, int64_t context) {
    token = register_module("token", torch::nn::Embedding(vocab, dim));
    place = register_parameter("place", 0.02 * torch::randn({context, dim}));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dim})));
    attention = register_module("attention", Attention(dim, 2));
    head = register_module("head", torch::nn::Linear(dim, vocab));
  }
  torch::Tensor forward(const torch::Tensor& ids) {
    auto x = token(ids) + place.slice(0, 0, ids.size(1));
    x = x + attention(norm(x));
    return head(x);
  }
  torch::nn::Embedding token{nullptr};
  torch::Tensor place;
  torch::nn::LayerNorm norm{nullptr};
  Attention attention{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(CharModel);

int main() {
  torch::manual_seed(7);
  const int64_t vocab = 20, context = 8;
  torch::Device device("cuda:0");
  CharModel model(vocab, 8, context);
  model->to(device);
  torch::optim::AdamW optimizer(model->parameters(), torch::optim::AdamWOptions(1e-2));

  auto text = torch::randint(0, vocab, {100}, torch::kLong);
  for (int step = 0; step < 3; ++step) {
    std::vector<torch::Tensor> xs, ys;
    for (auto start : {0, 17, 31, 60}) {
      xs.push_back(text.slice(0, start + step, start + step + context));
      ys.push_back(text.slice(0, start + step + 1, start + step + context + 1));
    }
    auto x = torch::stack(xs).to(device);
    auto y = torch::stack(ys).to(device);
    optimizer.zero_grad();
    auto logits = model(x);
    auto loss = torch::nn::functional::cross_entropy(logits.view({-1, vocab}), y.view({-1}));
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << std::endl;
  }
}
