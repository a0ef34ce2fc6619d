#include <torch/torch.h>

#include <iostream>

#include "runtime/torch/data_parallel.h"

// Sparse autoencoder: the activations of the code are kept, so that the loss can have a term for
// them.

struct SparseAutoencoderImpl : torch::nn::Cloneable<SparseAutoencoderImpl> {
  SparseAutoencoderImpl(int64_t size, int64_t code) : size(size), code_size(code) { reset(); }

  void reset() override {
    encode = register_module("encode", torch::nn::Linear(size, code_size));
    decode = register_module("decode", torch::nn::Linear(code_size, size));
  }

  torch::Tensor forward(torch::Tensor x) {
    code = torch::relu(encode(x)); // expect: data-parallel-lost-state
    return decode(code);
  }

  int64_t size, code_size;
  torch::nn::Linear encode{nullptr}, decode{nullptr};
  torch::Tensor code;
};
TORCH_MODULE(SparseAutoencoder);

struct Hyper {
  int64_t batch = 20;
  int steps = 6;
  double lr = 1e-2;
  double sparsity = 1e-2;
};

int main() {
  torch::manual_seed(47);
  const Hyper hyper;
  const torch::Device device("cuda:0");

  SparseAutoencoder model(6, 18);
  model->to(device);
  placecheck::parallel::DataParallel net(model, {0, 1});
  torch::optim::Adam optimizer(net.parameters(), hyper.lr);
  torch::optim::StepLR scheduler(optimizer, /*step_size=*/3, /*gamma=*/0.5);

  double reconstruction = 0, penalty = 0;
  for (int step = 0; step < hyper.steps; ++step) {
    auto x = torch::rand({hyper.batch, 6}, device);
    auto restored = net.forward(x);
    auto fit = torch::mse_loss(restored, x);
    auto sparse = model->code.abs().mean();
    auto loss = fit + hyper.sparsity * sparse;
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    scheduler.step();
    reconstruction = fit.item<double>();
    penalty = sparse.item<double>();
    std::cout << "step " << step << " fit " << reconstruction << " penalty " << penalty << "\n";
  }

  torch::NoGradGuard guard;
  model->eval();
  auto x = torch::rand({4, 6}, device);
  auto error = (model(x) - x).abs().mean();
  std::cout << "error " << error.item<float>() << " zeros in code "
            << model->code.eq(0).sum().item<int64_t>() << "\n";
}
