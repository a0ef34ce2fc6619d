#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>

// Knowledge distillation. The student starts from the teacher's first layers and output layer.

struct ResidualMlp : torch::nn::Module {
  ResidualMlp(int64_t depth, int64_t width) {
    input = register_module("input", torch::nn::Linear(6, width));
    for (int64_t i = 0; i < depth; ++i) {
      layers->push_back(torch::nn::Linear(width, width));
    }
    register_module("layers", layers);
    output = register_module("output", torch::nn::Linear(width, 3));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(input(x)); // expect-miss: device-mismatch
    for (size_t i = 0; i < layers->size(); ++i) {
      x = x + torch::relu(layers->ptr<torch::nn::LinearImpl>(i)->forward(x));
    }
    return output(x);
  }

  torch::nn::Linear input{nullptr}, output{nullptr};
  torch::nn::ModuleList layers;
};

int share_weights(torch::nn::Module& student, const torch::nn::Module& teacher) {
  auto source = teacher.named_parameters();
  int count = 0;
  for (auto& p : student.named_parameters()) {
    if (const auto* weight = source.find(p.key())) {
      p.value().set_data(weight->detach());
      ++count;
    }
  }
  return count;
}

torch::Tensor distillation_loss(const torch::Tensor& student, const torch::Tensor& teacher, double temperature) {
  auto p = torch::log_softmax(student / temperature, 1);
  auto q = torch::softmax(teacher / temperature, 1);
  return torch::kl_div(p, q, at::Reduction::Sum) * temperature * temperature / student.size(0);
}

int main() {
  torch::manual_seed(73);
  const torch::Device student_device("cuda:0");
  const torch::Device teacher_device("cuda:1");

  ResidualMlp teacher(4, 8);
  teacher.to(teacher_device);
  teacher.eval();
  ResidualMlp student(2, 8);
  student.to(student_device);
  std::cout << "shared " << share_weights(student, teacher) << " tensors" << std::endl;

  torch::optim::Adam adam(student.parameters(), 1e-3);
  for (int step = 0; step < 4; ++step) {
    auto x = torch::randn({8, 6});
    torch::Tensor wanted;
    {
      torch::NoGradGuard guard;
      wanted = teacher.forward(x.to(teacher_device)).to(student_device);
    }
    auto got = student.forward(x.to(student_device));
    auto loss = distillation_loss(got, wanted, 2.0);
    adam.zero_grad();
    loss.backward();
    adam.step();
    std::cout << "step " << step << " " << loss.item<float>() << std::endl;
  }
  return 0;
}
