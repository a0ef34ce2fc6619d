// Modules that are reached through others: listed, visited, and told apart by their classes.
#include <torch/torch.h>

#include <memory>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    linear = register_module("linear", torch::nn::Linear(3, 3));
    norm = register_module("norm", torch::nn::BatchNorm1d(3));
    for (auto& each : modules(false)) {
      if (auto* layer = dynamic_cast<torch::nn::LinearImpl*>(each.get())) {
        torch::nn::init::xavier_uniform_(layer->weight);
      } else if (auto* scale = each->as<torch::nn::BatchNorm1d>()) {
        torch::nn::init::constant_(scale->weight, 1);
      }
    }
  }
  torch::Tensor forward(torch::Tensor x) { return norm(linear(x)); }  // expect: device-mismatch
  torch::nn::Linear linear{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
};
TORCH_MODULE(Net);

struct StackImpl : torch::nn::Module {
  StackImpl() {
    layers->push_back("in", torch::nn::Linear(3, 3));
    layers->push_back("relu", torch::nn::ReLU());
    register_module("layers", layers);
  }
  torch::Tensor forward(torch::Tensor x) {
    for (const auto& item : layers->named_children()) {
      if (auto* linear = item.value()->as<torch::nn::Linear>()) {
        x = linear->forward(x);
      } else if (auto relu = std::dynamic_pointer_cast<torch::nn::ReLUImpl>(item.value())) {
        x = relu->forward(x);
      }
    }
    return x;
  }
  torch::nn::Sequential layers;
};
TORCH_MODULE(Stack);

torch::Tensor output_of(Net& net, const torch::Device& device) {
  return net->forward(torch::ones({2, 3}, device));
}

void moved_one_by_one(const torch::Device& device) {
  Net children, named, all, visited, parameters;
  for (auto& each : children->children()) each->to(device);
  for (auto& each : named->named_children()) each.value()->to(device);
  for (auto& each : all->modules(/*include_self=*/false)) each->to(device);
  visited->apply([&](torch::nn::Module& each) { each.to(device); });
  for (auto& each : parameters->parameters()) each.set_data(each.to(device));
  for (auto& each : parameters->buffers()) each.set_data(each.to(device));
  for (Net* net : {&children, &named, &all, &visited, &parameters}) output_of(*net, device);
}

void only_some(const torch::Device& device) {
  Net net;
  for (auto& each : net->modules()) {
    if (auto* linear = each->as<torch::nn::Linear>()) linear->to(device);
  }
  auto y = net->forward(torch::ones({2, 3}, device));
}

int main() {
  torch::Device device(torch::kCUDA);
  moved_one_by_one(device);
  Stack stack;
  stack->to(device);
  auto features = stack->forward(torch::ones({2, 3}, device));
  auto sum = features.cpu() + features;  // expect: device-mismatch
  only_some(device);
}
