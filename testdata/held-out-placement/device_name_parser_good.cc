#include <torch/torch.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <string>
#include <vector>

// Accepts device names as users write them: " CUDA:0", "gpu", "last", "cpu ".

static std::string clean(const std::string& text) {
  std::string out;
  for (unsigned char c : text)
    if (!std::isspace(c)) out += static_cast<char>(std::tolower(c));
  return out;
}

static torch::Device parse_device(const std::string& text) {
  const std::string name = clean(text);
  const int count = static_cast<int>(torch::cuda::device_count());
  if (name == "gpu") return torch::Device(torch::kCUDA, 0);
  if (name == "last") {
    TORCH_CHECK(count > 0, "no GPU for '", text, "'");
    return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(count - 1));
  }
  torch::Device device(name);
  if (device.is_cuda() && device.has_index() && device.index() >= count) {
    throw std::out_of_range("there are only " + std::to_string(count) + " GPUs");
  }
  return device;
}

static void try_it(const std::string& text, const torch::Tensor& x) {
  torch::nn::Linear layer(x.size(1), 2);
  const auto device = parse_device(text);
  layer->to(device);
  auto y = layer->forward(x.to(device));
  std::cout << "'" << text << "' -> " << (y.is_cuda() ? "GPU" : "CPU") << ", sum "
            << y.sum().item<float>() << "\n";
}

int main() {
  torch::manual_seed(15);
  auto x = torch::randn({3, 4});
  for (const char* text : {" CUDA:0", "gpu", "last", "cpu ", "cuda:1\n"}) try_it(text, x);

  // One more than there are is reported to the user, not used.
  const std::string beyond = "cuda:" + std::to_string(torch::cuda::device_count());
  try {
    try_it(beyond, x);
  } catch (const std::out_of_range& e) {
    std::cout << beyond << " refused: " << e.what() << "\n";
  }
  return 0;
}
