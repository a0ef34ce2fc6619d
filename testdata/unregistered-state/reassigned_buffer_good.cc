// The new statistics are written into the buffer; a hidden state that no module registers is
// replaced.
#include <torch/torch.h>

#include <sstream>

struct InputNormImpl : torch::nn::Module {
  InputNormImpl() {
    mean_ = register_buffer("mean", torch::zeros({4}));
    scale_ = torch::ones({4});
    scale_ = register_buffer("scale", scale_);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    if (is_training()) {
      torch::NoGradGuard no_grad;
      mean_.copy_(mean_ * 0.9 + x.mean(0) * 0.1);
    }
    last_ = x;
    return (x - mean_) * scale_;
  }

 private:
  torch::Tensor mean_, scale_, last_;
};
TORCH_MODULE(InputNorm);

int main() {
  InputNorm norm;
  norm->to(torch::kCUDA);
  norm->train();
  for (int step = 0; step < 3; ++step) norm->forward(torch::rand({8, 4}).cuda());
  std::stringstream file;
  torch::save(norm, file);
}
