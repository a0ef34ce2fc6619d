#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct MlpImpl : torch::nn::Cloneable<MlpImpl> {
  MlpImpl(int64_t in, int64_t out) : in_(in), out_(out) { reset(); }

  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(in_, 16));
    fc2 = register_module("fc2", torch::nn::Linear(16, out_));
  }

  torch::Tensor forward(torch::Tensor x) { return fc2(torch::relu(fc1(x))); }

  int64_t in_, out_;
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Mlp);

static const char* kCheckpoint = "/tmp/cc6_mlp_dp.pt";

void train() {
  Mlp mlp(10, 3);
  auto parallel = std::make_shared<DataParallel>(mlp, std::vector<int>{0, 1});
  parallel->to(torch::Device("cuda:0"));

  torch::optim::SGD optimizer(parallel->parameters(), 0.1);
  for (int i = 0; i < 4; ++i) {
    auto data = torch::randn({8, 10});
    auto target = torch::randint(0, 3, {8}, torch::kLong).to("cuda:0");
    auto loss = torch::nll_loss(torch::log_softmax(parallel->forward(data), 1), target);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << i << ": " << loss.item<float>() << '\n';
  }
  torch::save(parallel, kCheckpoint);
}

void serve() {
  Mlp mlp(10, 3);
  torch::load(mlp, kCheckpoint); // expect: state-dict-prefix
  mlp->to(torch::kCUDA);
  mlp->eval();

  torch::NoGradGuard guard;
  auto query = torch::randn({2, 10}).to(torch::kCUDA);
  std::cout << "answers: " << mlp(query).argmax(1).cpu() << '\n';
}

int main() {
  if (torch::cuda::device_count() < 2) {
    std::cerr << "two GPUs please\n";
    return EXIT_FAILURE;
  }
  train();
  serve();
  return EXIT_SUCCESS;
}
