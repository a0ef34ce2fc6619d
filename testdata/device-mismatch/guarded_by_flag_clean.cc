// The same flag decides every transfer: both ways through the program are consistent.
#include <torch/torch.h>

struct Options {
  bool use_cuda = torch::cuda::is_available();
  int64_t batch = 8;
};

torch::Tensor maybe_cuda(torch::Tensor t, bool use_cuda) { return use_cuda ? t.cuda() : t; }

int main() {
  Options options;
  torch::nn::Linear model(4, 2);
  if (options.use_cuda) model->to(torch::kCUDA);
  torch::Tensor bias = torch::ones({2});
  if (options.use_cuda) {
    bias = bias.cuda();
  }
  auto x = torch::rand({options.batch, 4});
  auto y = maybe_cuda(torch::rand({options.batch, 2}), options.use_cuda);
  if (!options.use_cuda) {
    auto loss = torch::mse_loss(model(x) + bias, y);
  } else {
    auto loss = torch::mse_loss(model(x.cuda()) + bias, y);
  }
}
