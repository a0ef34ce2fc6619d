#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

// Hyper-parameter sweep over dropout rates; every worker has its GPU and loads the same start weights.

struct DropNetImpl : torch::nn::Module {
  explicit DropNetImpl(double rate)
      : hidden(register_module("hidden", torch::nn::Linear(8, 16))),
        drop(register_module("drop", torch::nn::Dropout(rate))),
        out(register_module("out", torch::nn::Linear(16, 2))) {}

  torch::Tensor forward(torch::Tensor x) {
    return out->forward(drop->forward(torch::relu(hidden->forward(x))));
  }

  torch::nn::Linear hidden;
  torch::nn::Dropout drop;
  torch::nn::Linear out;
};
TORCH_MODULE(DropNet);

struct Result {
  double rate;
  int worker;
  double accuracy;
};

Result work(int worker, double rate, const std::string& start) {
  const torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(worker)); // expect: invalid-device
  DropNet net(rate);
  torch::load(net, start, torch::kCPU);
  net->to(device);
  net->train();
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto x = torch::randn({32, 8}).to(device);
  auto y = (x.mean(1) > 0).to(torch::kLong);
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(net->forward(x), y).backward();
    optimizer.step();
  }
  net->eval();
  auto hits = net->forward(x).argmax(1).eq(y).sum().item<int64_t>();
  return {rate, worker, hits / 32.0};
}

int main() {
  torch::manual_seed(37);
  const std::string start = "/tmp/sweep_start.pt";
  DropNet initial(0.5);
  torch::save(initial, start);

  const int workers = static_cast<int>(torch::cuda::device_count());
  std::cout << workers << " workers" << std::endl;

  std::vector<Result> results;
  double rate = 0.1;
  for (int worker = 1; worker <= workers; ++worker) {
    results.push_back(work(worker, rate, start));
    std::cout << "worker " << worker << " done" << std::endl;
    rate += 0.2;
  }

  for (const auto& r : results) {
    std::cout << "rate " << r.rate << " accuracy " << r.accuracy << "\n";
  }
  std::remove(start.c_str());
  return 0;
}
