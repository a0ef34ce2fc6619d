#include <torch/torch.h>

#include <iostream>
#include <memory>

// Mean teacher: the teacher's weights follow the student's by an exponential moving average.
struct EncoderImpl : torch::nn::Cloneable<EncoderImpl> {
  EncoderImpl() { reset(); }
  void reset() override {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3).padding(1)));
    bn = register_module("bn", torch::nn::BatchNorm2d(4));
    fc = register_module("fc", torch::nn::Linear(4, 3));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(bn(conv(x)));
    return fc(x.mean({2, 3}));
  }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::BatchNorm2d bn{nullptr};
  torch::nn::Linear fc{nullptr};
};

class MeanTeacher {
 public:
  explicit MeanTeacher(std::shared_ptr<EncoderImpl> student, double decay = 0.99)
      : student_(std::move(student)), decay_(decay) {
    teacher_ = std::dynamic_pointer_cast<EncoderImpl>(student_->clone());
    for (auto& p : teacher_->parameters()) p.requires_grad_(false);
    teacher_->train();
  }

  void update() {
    torch::NoGradGuard no_grad;
    auto student = student_->named_parameters();
    for (auto& item : teacher_->named_parameters()) {
      item.value().mul_(decay_).add_(student[item.key()], 1.0 - decay_); // expect: device-mismatch
    }
    auto buffers = student_->named_buffers();
    for (auto& item : teacher_->named_buffers()) item.value().copy_(buffers[item.key()]);
  }

  torch::Tensor predict(const torch::Tensor& x) {
    torch::NoGradGuard no_grad;
    return torch::softmax(teacher_->forward(x), 1); // expect: device-mismatch
  }

 private:
  std::shared_ptr<EncoderImpl> student_, teacher_;
  double decay_;
};

torch::Tensor jitter(const torch::Tensor& images) {
  return images + 0.1 * torch::randn_like(images);
}

int main() {
  torch::manual_seed(2);
  torch::Device device("cuda");

  auto student = std::make_shared<EncoderImpl>();
  MeanTeacher mean_teacher(student);
  student->to(device);

  torch::optim::SGD sgd(student->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));

  auto images = torch::rand({12, 1, 6, 6}).to(device);
  auto labels = torch::randint(0, 3, {12}, torch::kLong).to(device);
  const int ramp_up = 2;
  for (int step = 0; step < 6; ++step) {
    sgd.zero_grad();
    auto logits = student->forward(jitter(images));
    auto loss = torch::nn::functional::cross_entropy(logits, labels);
    if (step >= ramp_up) {
      auto soft = mean_teacher.predict(jitter(images));
      loss = loss + torch::mse_loss(torch::softmax(logits, 1), soft);
    }
    loss.backward();
    sgd.step();
    mean_teacher.update();
    std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }
}
