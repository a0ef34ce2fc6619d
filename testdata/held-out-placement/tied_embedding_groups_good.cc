#include <torch/torch.h>

#include <iostream>

// Tied input and output embeddings. Handles taken before the move stay valid, as Module::to()
// exchanges the data of the same variables.

namespace F = torch::nn::functional;

struct TiedModelImpl : torch::nn::Module {
  TiedModelImpl(int64_t vocab, int64_t dim) {
    embed = register_module("embed", torch::nn::Embedding(vocab, dim));
    mix = register_module("mix", torch::nn::Linear(dim, dim));
    decoder_weight = embed->weight;
    bias = register_parameter("bias", torch::zeros({vocab}));
  }

  torch::Tensor forward(const torch::Tensor& ids) {
    auto h = torch::tanh(mix(embed(ids).mean(1)));
    return F::linear(h, decoder_weight, bias);
  }

  torch::nn::Embedding embed{nullptr};
  torch::nn::Linear mix{nullptr};
  torch::Tensor decoder_weight, bias;
};
TORCH_MODULE(TiedModel);

int main() {
  torch::manual_seed(34);
  const int64_t vocab = 12;
  TiedModel model(vocab, 6);

  // Two groups with learning rates of their own, made before the model is moved.
  torch::optim::OptimizerParamGroup slow({model->embed->weight});
  slow.set_options(std::make_unique<torch::optim::SGDOptions>(0.01));
  torch::optim::OptimizerParamGroup fast({model->mix->weight, model->mix->bias, model->bias});
  fast.set_options(std::make_unique<torch::optim::SGDOptions>(0.1));
  torch::optim::SGD optimizer({slow, fast}, torch::optim::SGDOptions(0.1));

  auto table = model->embed->weight;
  model->to(torch::Device(torch::kCUDA, 0));
  TORCH_CHECK(table.is_cuda(), "the handle did not follow");
  TORCH_CHECK(model->decoder_weight.is_cuda());

  for (int step = 0; step < 4; ++step) {
    auto ids = torch::randint(vocab, {5, 3}, torch::kLong).to(table.device());
    auto loss = F::cross_entropy(model(ids), ids.select(1, 0));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << loss.item<float>() << " row norm " << table[0].norm().item<float>() << "\n";
  }
  return 0;
}
