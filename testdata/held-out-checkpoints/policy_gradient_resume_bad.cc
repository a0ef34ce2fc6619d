#include <torch/torch.h>

#include <iostream>
#include <sstream>
#include <string>

// Resumes a run: weights and Adam's moments come from the last checkpoint.

struct RunState {
  std::string model;
  std::string optimizer;
  int epoch = 0;
};

class Actor : public torch::nn::Module {
 public:
  Actor() {
    register_module("l1", l1);
    register_module("l2", l2);
  }
  torch::Tensor forward(torch::Tensor observation) {
    observation = torch::tanh(l1(observation));
    return torch::log_softmax(l2(observation), -1);
  }

 private:
  torch::nn::Linear l1{4, 16};
  torch::nn::Linear l2{16, 2};
};

template <typename T>
std::string to_bytes(const T& value) {
  std::ostringstream out;
  torch::save(value, out);
  return out.str();
}

template <typename T>
void from_bytes(T& value, const std::string& bytes) {
  std::istringstream in(bytes);
  torch::load(value, in);
}

float policy_gradient_step(Actor& actor, torch::optim::Optimizer& optimizer, torch::Device device) {
  auto observations = torch::randn({12, 4}).to(device);
  auto actions = torch::randint(0, 2, {12, 1}, torch::kLong).to(device);
  auto returns = torch::randn({12}).to(device);
  auto chosen = actor.forward(observations).gather(1, actions).squeeze(1);
  auto loss = -(chosen * returns).mean();
  optimizer.zero_grad();
  loss.backward();
  optimizer.step(); // expect: optimizer-state-device
  return loss.item<float>();
}

RunState first_run() {
  auto actor = std::make_shared<Actor>();
  torch::optim::Adam adam(actor->parameters(), 3e-3);
  RunState state;
  for (; state.epoch < 3; ++state.epoch) policy_gradient_step(*actor, adam, torch::kCPU);
  state.model = to_bytes(actor);
  state.optimizer = to_bytes(adam);
  return state;
}

int main() {
  torch::manual_seed(17);
  RunState state = first_run();

  torch::Device device(torch::cuda::is_available() ? "cuda:0" : "cpu");
  auto actor = std::make_shared<Actor>();
  torch::optim::Adam adam(actor->parameters(), 3e-3);
  from_bytes(actor, state.model);
  from_bytes(adam, state.optimizer);
  actor->to(device);
  std::cout << "resuming after epoch " << state.epoch << " on " << device << std::endl;

  for (int epoch = state.epoch; epoch < state.epoch + 3; ++epoch) {
    std::cout << "epoch " << epoch << " loss " << policy_gradient_step(*actor, adam, device) << std::endl;
  }
}
