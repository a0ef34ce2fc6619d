#include <torch/torch.h>

#include <iostream>
#include <utility>

// Teacher on the first GPU, student on the second.
namespace distill {

torch::nn::Sequential network(int64_t width) {
  return torch::nn::Sequential(torch::nn::Linear(8, width), torch::nn::Tanh(),
                               torch::nn::Linear(width, 3));
}

torch::Tensor teacher_logits(torch::nn::Sequential& teacher, int64_t n, torch::Tensor* inputs) {
  torch::NoGradGuard no_grad;
  *inputs = torch::randn({n, 8}, torch::kCUDA);
  return teacher->forward(*inputs); // expect: device-mismatch
}

torch::Tensor divergence(const torch::Tensor& student, const torch::Tensor& teacher, double t) {
  return torch::kl_div(torch::log_softmax(student / t, 1), torch::softmax(teacher / t, 1),
                       at::Reduction::Sum) * (t * t) / student.size(0);
}

}  // namespace distill

int main() {
  torch::manual_seed(9);
  const torch::Device second(torch::kCUDA, 1);

  auto teacher = distill::network(64);
  teacher->to(torch::kCUDA);
  teacher->eval();

  auto student = distill::network(8);
  student->to(second);
  torch::optim::Adam optimizer(student->parameters(), 1e-2);

  // Everything below belongs to the student, on the second GPU.
  c10::DeviceGuard guard(second);
  for (int step = 0; step < 10; ++step) {
    torch::Tensor inputs;
    auto wanted = distill::teacher_logits(teacher, 32, &inputs);
    auto got = student->forward(inputs.to(second));
    auto loss = distill::divergence(got, wanted.to(second), 2.0);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    if (step % 3 == 0) std::cout << "step " << step << ": " << loss.item<double>() << "\n";
  }
  return 0;
}
