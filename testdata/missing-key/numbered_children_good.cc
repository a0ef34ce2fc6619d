// Tensors by the numbers of a Sequential's children. They move with the module.
#include <torch/torch.h>

struct StudentImpl : torch::nn::Module {
  StudentImpl() {
    body = register_module(
        "body", torch::nn::Sequential(torch::nn::Linear(4, 8), torch::nn::BatchNorm1d(8)));
    fc = register_module("fc", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(body->forward(x)); }
  torch::nn::Sequential body{nullptr};
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Student);

int main() {
  Student student;
  torch::nn::Sequential both(torch::nn::Linear(4, 4), student);
  both->named_parameters()["1.fc.weight"].norm();
  student->named_parameters()["body.0.weight"].norm();
  auto mean = student->named_buffers()["body.1.running_mean"];
  student->to(torch::kCUDA);
  (mean - torch::zeros({8}, torch::kCUDA)).norm();
  for (auto& each : student->named_children()["body"]->parameters()) each.set_requires_grad(false);
}
