// Where the caller's model lives is not known, but it lives in one place.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { layer = register_module("layer", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Net);

torch::Tensor decode(Net& model, torch::Tensor source, const torch::Device& device) {
  source = source.to(device);
  torch::Tensor memory = model->forward(source);
  torch::Tensor start = torch::ones({1, 8});
  return model->forward(start) + memory;  // expect: device-mismatch
}

torch::Tensor decode_well(Net& model, torch::Tensor source, const torch::Device& device) {
  source = source.to(device);
  torch::Tensor memory = model->forward(source);
  torch::Tensor start = torch::ones({1, 8}).to(device);
  return model->forward(start) + memory;
}

// Each replica lives on a device of its own.
std::vector<torch::Tensor> everywhere(std::vector<Net>& replicas) {
  std::vector<torch::Tensor> outputs;
  for (size_t i = 0; i < replicas.size(); ++i) {
    torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(i));
    outputs.push_back(replicas[i]->forward(torch::ones({1, 8}, device)));
  }
  outputs.push_back(replicas[0]->forward(torch::ones({1, 8}, torch::Device(torch::kCUDA, 0))));
  outputs.push_back(replicas[1]->forward(torch::ones({1, 8}, torch::Device(torch::kCUDA, 1))));
  return outputs;
}
