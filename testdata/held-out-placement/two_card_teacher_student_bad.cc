#include <torch/torch.h>

#include <iostream>
#include <stdexcept>

/* Keeps the teacher on the first GPU and the student on the last one. */

torch::Device first_gpu() { return torch::Device(torch::kCUDA, 0); }

torch::Device last_gpu() {
  if (!torch::cuda::is_available()) throw std::runtime_error("no CUDA");
  auto count = torch::cuda::device_count();
  return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(count)); // expect: invalid-device
}

torch::nn::Sequential mlp(int64_t hidden) {
  torch::nn::Sequential net;
  net->push_back(torch::nn::Linear(8, hidden));
  net->push_back(torch::nn::ReLU());
  net->push_back(torch::nn::Linear(hidden, 5));
  return net;
}

int main() {
  torch::manual_seed(9);
  const torch::Device teacher_device = first_gpu();
  const torch::Device student_device = last_gpu();

  auto teacher = mlp(64);
  teacher->to(teacher_device);
  teacher->eval();

  auto student = mlp(8);
  student->to(student_device);

  torch::optim::SGD optimizer(student->parameters(),
                              torch::optim::SGDOptions(0.1).momentum(0.9));
  const double temperature = 2.0;
  for (int step = 0; step < 10; ++step) {
    auto x = torch::randn({16, 8});
    torch::Tensor soft;
    {
      torch::NoGradGuard no_grad;
      soft = torch::softmax(teacher->forward(x.to(teacher_device)) / temperature, 1);
    }
    auto log_p = torch::log_softmax(student->forward(x.to(student_device)) / temperature, 1);
    auto loss = torch::kl_div(log_p, soft.to(student_device), at::Reduction::Sum) / x.size(0);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << step << " " << loss.item<float>() << "\n";
  }
}
