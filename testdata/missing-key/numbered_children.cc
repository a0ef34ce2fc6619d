// arguments: 0 1 2
// The children of a Sequential are numbered, and named_children() has none of those within them.
#include <torch/torch.h>

#include <string>
#include <vector>

struct StudentImpl : torch::nn::Module {
  StudentImpl() {
    body = register_module(
        "body", torch::nn::Sequential(torch::nn::Linear(4, 8), torch::nn::Linear(8, 4)));
    fc = register_module("fc", torch::nn::Linear(4, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(body->forward(x)); }
  torch::nn::Sequential body{nullptr};
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Student);

void freeze(Student& net, const std::vector<std::string>& names) {
  auto children = net->named_children();
  for (const auto& name : names) {
    for (auto& each : children[name]->parameters())  // expect: missing-key
      each.set_requires_grad(false);
  }
}

int main(int argc, char**) {
  Student student;
  torch::nn::Sequential both(torch::nn::Linear(4, 4), student);
  auto parameters = both->named_parameters();
  if (argc == 1) {
    auto weight = parameters["fc.weight"];  // expect: missing-key
  } else if (argc == 2) {
    auto weight = student->named_parameters()["body.conv1.weight"];  // expect: missing-key
  }
  freeze(student, {"body.1"});
}
