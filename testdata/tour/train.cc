// The tour of the README: mistakes that many training programs begin with.
#include <torch/torch.h>

#include <iostream>

struct NetImpl : torch::nn::Module {
  NetImpl() : body(register_module("body", torch::nn::Linear(8, 8))) {}

  torch::Tensor forward(torch::Tensor x) {
    torch::Tensor noise = torch::rand({x.size(0), 8});
    return head->forward(torch::relu(body->forward(x) + noise));
  }

  torch::nn::Linear body;
  torch::nn::Linear head{8, 2};
};
TORCH_MODULE(Net);

int main() {
  torch::Device device(torch::kCUDA);
  Net net;
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), /*lr=*/0.1);
  for (int step = 0; step < 10; ++step) {
    torch::Tensor batch = torch::rand({4, 8});
    torch::Tensor labels = torch::randint(2, {4}).to(device);
    batch.to(device);
    torch::Tensor logits = net->forward(batch);
    torch::Tensor loss = torch::nn::functional::cross_entropy(logits, labels.to(torch::kLong));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << ": " << loss.item<float>() << '\n';
  }
}
