#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

// Benchmark of a few operations. The inputs are made once for each device and reused.

struct Inputs {
  torch::Tensor a, b, bias;
  torch::Tensor ids;
};

using Operation = std::function<torch::Tensor(const Inputs&)>;

Inputs prepare(int64_t n, torch::Device device) {
  auto options = torch::TensorOptions().device(device);
  return {torch::randn({n, n}, options), torch::randn({n, n}, options), torch::zeros({n}, options),
          torch::randint(n, {n}, options.dtype(torch::kLong))};
}

class Stopwatch {
 public:
  Stopwatch() : start_(std::chrono::steady_clock::now()) {}
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_;
};

double measure(const Operation& op, const Inputs& in, int rounds) {
  double best = 1e12;
  for (int r = 0; r < rounds; ++r) {
    Stopwatch watch;
    op(in).sum().item<float>();
    best = std::min(best, watch.ms());
  }
  return best;
}

int main() {
  torch::NoGradGuard no_grad;
  torch::manual_seed(0);

  std::map<std::string, Operation> operations;
  operations["matmul"] = [](const Inputs& in) { return in.a.mm(in.b); };
  operations["addmm"] = [](const Inputs& in) { return torch::addmm(in.bias, in.a, in.b); };
  operations["gather rows"] = [](const Inputs& in) { return in.a.index_select(0, in.ids); };
  operations["scaled"] = [](const Inputs& in) { return in.a * torch::tensor(0.5f) + in.b; };

  const int devices = static_cast<int>(std::min<size_t>(torch::cuda::device_count(), 2));
  std::map<int, Inputs> inputs;
  for (int d = 0; d < devices; ++d) inputs.emplace(d, prepare(32, torch::Device(torch::kCUDA, d)));

  std::map<std::string, std::vector<double>> table;
  for (const auto& [name, op] : operations) {
    for (int d = 0; d < devices; ++d) {
      table[name].push_back(measure(op, inputs.at(d), 3));
    }
  }

  for (const auto& [name, times] : table) {
    std::cout << name << ":";
    for (double t : times) std::cout << (t >= 0 ? " measured" : " -");
    std::cout << "\n";
  }

  // Whether all devices compute the same.
  auto& first = inputs.at(0);
  for (int d = 1; d < devices; ++d) {
    auto here = first.a.to(torch::Device(torch::kCUDA, d));
    auto difference = (here.mm(here).cpu() - first.a.mm(first.a).cpu()).abs().max();
    std::cout << "device " << d << (difference.item<float>() < 1e-3 ? " agrees" : " differs") << "\n";
  }
}
