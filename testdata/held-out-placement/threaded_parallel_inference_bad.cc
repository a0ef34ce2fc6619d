#include <torch/torch.h>

#include <iostream>
#include <thread>
#include <vector>

// Hand-made data parallel inference with a thread for each of two GPUs.

using torch::nn::Sequential;

static Sequential make_net() {
  return Sequential(torch::nn::Linear(6, 12), torch::nn::ReLU(), torch::nn::Linear(12, 2));
}

// Copies the parameters of one network to another of the same shape.
static void copy_weights(Sequential& to, Sequential& from) {
  torch::NoGradGuard no_grad;
  auto target = to->parameters();
  auto source = from->parameters();
  for (size_t i = 0; i < target.size(); ++i) target[i].copy_(source[i]);
}

int main() {
  torch::manual_seed(71);
  std::vector<torch::Device> devices = {torch::Device("cuda:0"), torch::Device("cuda:1")};

  auto master = make_net();
  std::vector<Sequential> replicas;
  for (const auto& device : devices) {
    replicas.push_back(make_net());
    replicas.back()->to(device);
    copy_weights(replicas.back(), master);
  }

  const auto batch = torch::randn({14, 6});
  const auto parts = batch.chunk(static_cast<int64_t>(devices.size()));
  std::vector<torch::Tensor> outputs(devices.size());

  std::vector<std::thread> threads;
  for (size_t i = 0; i < devices.size(); ++i) {
    threads.emplace_back([&, i] {
      torch::NoGradGuard no_grad;
      outputs[i] = replicas[i]->forward(parts[i].to(devices[i]));
    });
  }
  for (auto& thread : threads) thread.join();

  auto all = torch::cat(outputs, 0); // expect: device-mismatch
  auto probabilities = torch::softmax(all, 1).cpu();
  auto reference = [&] {
    torch::NoGradGuard no_grad;
    return torch::softmax(master->forward(batch), 1);
  }();
  std::cout << "rows " << probabilities.size(0) << ", largest difference to the host "
            << (probabilities - reference).abs().max().item<float>() << std::endl;
  return 0;
}
