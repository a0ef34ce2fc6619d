// The optimizer is made for the new head, or again for the whole network; the gradients of copies
// are added to those of the original.
#include <torch/torch.h>

#include <memory>

struct NetImpl : torch::nn::Module {
  explicit NetImpl(int64_t classes)
      : body(register_module("body", torch::nn::Linear(8, 16))),
        head(register_module("head", torch::nn::Linear(16, classes))) {}
  torch::Tensor forward(torch::Tensor x) { return head(torch::relu(body(x))); }
  void reset_head(int64_t classes) {
    head = replace_module("head", torch::nn::Linear(16, classes));
  }
  torch::nn::Linear body{nullptr}, head{nullptr};
};
TORCH_MODULE(Net);

void train(Net& net, torch::optim::Optimizer& optimizer) {
  optimizer.zero_grad();
  net(torch::rand({4, 8}, torch::kCUDA)).sum().backward();
  optimizer.step();
}

struct PartImpl : torch::nn::Cloneable<PartImpl> {
  PartImpl() { reset(); }
  void reset() override { layer = register_module("layer", torch::nn::Linear(4, 1)); }
  torch::Tensor forward(torch::Tensor x) { return layer(x); }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Part);

void train_by_copies() {
  Part part;
  part->to(torch::Device(torch::kCUDA, 0));
  torch::optim::SGD optimizer(part->parameters(), 0.1);
  for (int step = 0; step < 2; ++step) {
    optimizer.zero_grad();
    auto copy = std::dynamic_pointer_cast<PartImpl>(part->clone(torch::Device(torch::kCUDA, 1)));
    copy->forward(torch::rand({8, 4}, torch::Device(torch::kCUDA, 1))).sum().backward();
    auto originals = part->parameters(), copies = copy->parameters();
    for (size_t i = 0; i < originals.size(); ++i)
      originals[i].mutable_grad() = copies[i].grad().to(originals[i].device());
    optimizer.step();
  }
}

struct ScaleImpl : torch::nn::Module {
  ScaleImpl() : weight(register_parameter("weight", torch::ones({4}))) {}
  void put_on(const torch::Device& device) {
    torch::NoGradGuard no_grad;
    to(device);
  }
  torch::Tensor forward(torch::Tensor x) { return x * weight; }
  torch::Tensor weight;
};
TORCH_MODULE(Scale);

void train_scale() {
  Scale scale;
  scale->put_on(torch::Device(torch::kCUDA, 0));
  torch::optim::SGD optimizer(scale->parameters(), 0.1);
  auto x = torch::rand({8, 4}, torch::kCUDA).requires_grad_();
  scale(x).sum().backward();
  optimizer.step();
}

int main() {
  train_by_copies();
  Net net(10);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  train(net, optimizer);
  net->reset_head(2);
  net->to(torch::kCUDA);
  torch::optim::Adam of_head(net->head->parameters(), torch::optim::AdamOptions(0.01));
  train(net, of_head);
  optimizer.step();
  net->reset_head(5);
  net->to(torch::kCUDA);
  torch::optim::SGD again(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  train(net, again);
  train_scale();
}
