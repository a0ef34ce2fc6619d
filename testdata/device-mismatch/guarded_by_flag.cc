// run: --cuda
// Two transfers under one flag agree; a third that is missing under it is seen.
#include <torch/torch.h>

#include <cstring>

int main(int argc, char** argv) {
  const bool use_cuda = argc > 1 && std::strcmp(argv[1], "--cuda") == 0;
  torch::nn::Linear model(4, 2);
  if (use_cuda) {
    model->to(torch::kCUDA);
  }
  for (int step = 0; step < 10; ++step) {
    auto x = torch::rand({8, 4});
    auto y = torch::rand({8, 2});
    if (use_cuda) x = x.to(torch::kCUDA);
    auto prediction = model->forward(x);
    auto loss = torch::mse_loss(prediction, y);  // expect: device-mismatch
    loss.backward();
  }
}
