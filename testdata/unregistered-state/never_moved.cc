// Nothing moves, trains, saves or switches this module: its members need no registration.
#include <torch/torch.h>

struct Projection : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{4, 2};
};

int main() {
  torch::NoGradGuard no_grad;
  Projection projection;
  auto y = projection.forward(torch::rand({1, 4}));
}
