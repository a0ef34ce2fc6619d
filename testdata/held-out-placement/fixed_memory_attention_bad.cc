#include <torch/torch.h>

#include <iostream>
#include <limits>

// Attention over a fixed memory, with a copy of the memory for the host and one for the GPU.

struct Memory {
  torch::Tensor host_keys, gpu_keys;
  torch::Tensor host_values, gpu_values;

  static Memory random(int64_t slots, int64_t width, torch::Device device) {
    Memory memory;
    memory.host_keys = torch::randn({slots, width});
    memory.host_values = torch::randn({slots, width});
    memory.gpu_keys = memory.host_keys.to(device);
    memory.gpu_values = memory.host_values.to(device);
    return memory;
  }
};

class Reader {
 public:
  explicit Reader(Memory memory) : memory_(std::move(memory)) {}

  torch::Tensor read(const torch::Tensor& query) const {
    const bool on_gpu = query.device() == torch::Device(torch::kCUDA);
    const auto& keys = on_gpu ? memory_.gpu_keys : memory_.host_keys;
    const auto& values = on_gpu ? memory_.gpu_values : memory_.host_values;
    const double scale = 1.0 / std::sqrt(static_cast<double>(query.size(-1)));
    auto scores = query.matmul(keys.t()) * scale; // expect: device-mismatch
    return torch::softmax(scores, -1).matmul(values); // expect: device-mismatch
  }

 private:
  Memory memory_;
};

int main() {
  torch::manual_seed(41);
  torch::NoGradGuard no_grad;
  const torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;

  const int64_t width = 8;
  Reader reader(Memory::random(10, width, device));
  torch::nn::Linear question(width, width);

  // The short queries are answered on the host.
  auto few = torch::randn({2, width});
  std::cout << "host: " << reader.read(question(few)).norm().item<float>() << std::endl;

  // The long ones on the GPU.
  question->to(device);
  for (int64_t n : {32, 64}) {
    auto many = torch::randn({n, width}, device);
    auto answer = reader.read(question(many));
    std::cout << "gpu, " << n << " queries: " << answer.norm().item<float>() << std::endl;
  }
  return 0;
}
