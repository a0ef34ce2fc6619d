// The device of a module is that of its parameters: every way to ask for it.
#include <torch/torch.h>

torch::Device of_list(torch::nn::Module& module) {
  auto parameters = module.parameters();
  return parameters.empty() ? torch::Device(torch::kCPU) : parameters[0].device();
}

torch::Device by_count(torch::nn::Module& module) {
  auto parameters = module.parameters();
  return parameters.size() > 0 ? parameters[0].device() : torch::Device(torch::kCPU);
}

torch::Device of_first_in_loop(torch::nn::Module& module) {
  for (auto& parameter : module.parameters()) return parameter.device();
  return torch::kCPU;
}

torch::Device by_break(torch::nn::Module& module) {
  torch::Device device(torch::kCPU);
  for (auto& item : module.named_parameters()) {
    device = item.value().device();
    break;
  }
  return device;
}

int main() {
  torch::nn::Linear layer(3, 4);
  layer->to(torch::kCUDA);
  layer->forward(torch::ones({2, 3}, of_list(*layer)));
  layer->forward(torch::ones({2, 3}, by_count(*layer)));
  layer->forward(torch::ones({2, 3}, of_first_in_loop(*layer)));
  layer->forward(torch::ones({2, 3}, by_break(*layer)));
  layer->forward(torch::ones({2, 3}, layer->parameters().front().options()));
}
