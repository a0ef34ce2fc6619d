#include <torch/torch.h>

#include <iostream>
#include <stdexcept>

// Mean teacher with the two nets on different GPUs.

struct BranchNetImpl : torch::nn::Module {
  torch::nn::Linear first{nullptr}, second{nullptr};
  BranchNetImpl() {
    first = register_module("first", torch::nn::Linear(8, 12));
    second = register_module("second", torch::nn::Linear(12, 4));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = first->forward(x);
    return second->forward(torch::leaky_relu(x));
  }
};
TORCH_MODULE(BranchNet);

// Starts `to` from the weights of `from`.
void initialize_from(BranchNet& to, const BranchNet& from) {
  auto target = to->named_parameters();
  auto source = from->named_parameters();
  if (target.size() != source.size()) throw std::invalid_argument("different nets");
  for (const auto& item : source) {
    target[item.key()].set_data(item.value().detach().clone());
  }
}

torch::Tensor consistency(const torch::Tensor& a, const torch::Tensor& b) {
  return torch::mse_loss(torch::softmax(a, 1), torch::softmax(b, 1));
}

int main() {
  torch::manual_seed(18);
  const torch::Device student_device("cuda:0"), teacher_device("cuda:1");

  BranchNet student;
  student->to(student_device);
  BranchNet teacher;
  teacher->to(teacher_device);
  initialize_from(teacher, student);
  for (auto& p : teacher->parameters()) p.requires_grad_(false);

  torch::optim::SGD optimizer(student->parameters(), torch::optim::SGDOptions(0.1));
  for (int step = 0; step < 4; ++step) {
    auto clean = torch::randn({10, 8});
    auto noisy = clean + 0.1 * torch::randn({10, 8});
    optimizer.zero_grad();
    auto mine = student->forward(noisy.to(student_device));
    auto hers = teacher->forward(clean.to(teacher_device)); // expect: device-mismatch
    auto loss = consistency(mine, hers.to(student_device));
    loss.backward();
    optimizer.step();

    torch::NoGradGuard no_grad;
    auto average = teacher->parameters();
    auto current = student->parameters();
    for (size_t i = 0; i < average.size(); ++i) {
      average[i].mul_(0.9).add_(current[i].to(average[i].device()), 0.1);
    }
    std::cout << "step " << step << " consistency " << loss.item<float>() << "\n";
  }
}
