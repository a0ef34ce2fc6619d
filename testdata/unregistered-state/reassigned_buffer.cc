// A buffer's member is assigned the new statistics: what is saved are those of the constructor.
#include <torch/torch.h>

#include <sstream>

struct InputNormImpl : torch::nn::Module {
  InputNormImpl() { mean_ = register_buffer("mean", torch::zeros({4})); }

  torch::Tensor forward(const torch::Tensor& x) {
    if (is_training()) {
      torch::NoGradGuard no_grad;
      mean_ = mean_ * 0.9 + x.mean(0) * 0.1;  // expect: unregistered-state
    }
    return x - mean_;
  }

 private:
  torch::Tensor mean_;
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
