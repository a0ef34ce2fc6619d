// A part that slices cut out is no 0-dim tensor, and what a layer is given is none either.
#include <torch/torch.h>

using torch::indexing::None;
using torch::indexing::Slice;

torch::Tensor corpus(int64_t rows) { return torch::arange(rows * 40).reshape({rows, 40}); }

void words(torch::nn::Embedding& embedding, const torch::Tensor& data) {
  auto window = data.index({Slice(), Slice(0, 8)});
  auto embedded = embedding->forward(window);  // expect: device-mismatch
  auto there = embedding->forward(window.to(embedding->weight.device()));
}

void sums(const torch::Tensor& weight, const torch::Tensor& data) {
  auto scaled = weight * data.index({0, Slice()}).sum();
  auto column = weight + data.index({Slice(None, 2), 0});  // expect: device-mismatch
  auto element = weight + data.index({0, 0});
}

int main() {
  torch::nn::Embedding embedding(200, 6);
  embedding->to(torch::kCUDA);
  words(embedding, corpus(5));
  sums(torch::ones({2}, torch::kCUDA), corpus(5).to(torch::kFloat));
}
