#include <torch/torch.h>

#include <cmath>
#include <iostream>

namespace nn = torch::nn;

class PositionalEncodingImpl : public nn::Module {
 public:
  PositionalEncodingImpl(int64_t dim, int64_t max_len, double p) : dropout_(nn::DropoutOptions(p)) {
    pe_ = torch::zeros({max_len, dim});
    auto position = torch::arange(0, max_len, torch::kFloat32).unsqueeze(1);
    auto div = torch::exp(torch::arange(0, dim, 2, torch::kFloat32) * (-std::log(10000.0) / dim));
    using torch::indexing::None;
    using torch::indexing::Slice;
    pe_.index_put_({Slice(), Slice(0, None, 2)}, torch::sin(position * div));
    pe_.index_put_({Slice(), Slice(1, None, 2)}, torch::cos(position * div));
    register_buffer("pe", pe_);
    register_module("dropout", dropout_);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return dropout_(x + pe_.slice(0, 0, x.size(1)).unsqueeze(0));
  }

 private:
  torch::Tensor pe_;
  nn::Dropout dropout_;
};
TORCH_MODULE(PositionalEncoding);

class EncoderImpl : public nn::Module {
 public:
  EncoderImpl(int64_t vocab, int64_t dim)
      : embed_(vocab, dim), positions_(dim, 64, 0.1), mix_(dim, dim), out_(dim, vocab) {
    register_module("embed", embed_);
    register_module("positions", positions_);
    register_module("mix", mix_);
    register_module("out", out_);
  }

  torch::Tensor forward(const torch::Tensor& ids) {
    auto h = positions_(embed_(ids));
    auto attention = torch::softmax(h.matmul(h.transpose(1, 2)) / std::sqrt(h.size(2)), -1);
    h = torch::relu(mix_(attention.matmul(h)));
    return out_(h);
  }

 private:
  nn::Embedding embed_;
  PositionalEncoding positions_;
  nn::Linear mix_, out_;
};
TORCH_MODULE(Encoder);

int main() {
  torch::manual_seed(0);
  const int64_t vocab = 20;
  const torch::Device device("cuda:0");

  Encoder model(vocab, 8);
  model->to(device);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-2));

  for (int step = 0; step < 5; ++step) {
    auto ids = torch::randint(vocab, {4, 10}, torch::TensorOptions().dtype(torch::kLong).device(device));
    auto target = ids.roll(-1, 1);
    auto logits = model(ids);
    auto loss = nn::functional::cross_entropy(logits.view({-1, vocab}), target.view(-1));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << ": " << loss.item<float>() << std::endl;
  }

  // The second GPU serves.
  torch::NoGradGuard guard;
  torch::Device server("cuda:1");
  model->to(server);
  model->eval();
  auto ids = torch::tensor({1, 2, 3, 4}, torch::kLong).unsqueeze(0).to(server);
  std::cout << model(ids).argmax(-1).cpu() << std::endl;
}
