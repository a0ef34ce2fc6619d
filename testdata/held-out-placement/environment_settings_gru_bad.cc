#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

// Settings are key=value pairs with defaults; some of them can be changed from the environment.

class Settings {
 public:
  Settings() {
    values_["accelerator"] = "gpu";
    values_["precision"] = "32";
    values_["hidden"] = "10";
  }

  void from_environment(const std::string& key, const char* variable) {
    if (const char* value = std::getenv(variable)) values_[key] = value;
  }

  const std::string& get(const std::string& key) const { return values_.at(key); }
  int64_t number(const std::string& key) const { return std::stol(get(key)); }

 private:
  std::map<std::string, std::string> values_;
};

struct Runtime {
  torch::Device device;
  torch::Dtype dtype;
};

Runtime make_runtime(const Settings& settings) {
  torch::Dtype dtype = settings.get("precision") == "64" ? torch::kFloat64 : torch::kFloat32;
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) {
    device = torch::Device(settings.get("accelerator")); // expect: invalid-device
  }
  return {device, dtype};
}

int main() {
  Settings settings;
  settings.from_environment("hidden", "DEMO_HIDDEN_UNITS");
  torch::manual_seed(24);

  const Runtime runtime = make_runtime(settings);
  std::cout << "running on " << runtime.device << std::endl;

  const int64_t hidden = settings.number("hidden");
  torch::nn::GRUCell cell(4, hidden);
  torch::nn::Linear readout(hidden, 1);
  cell->to(runtime.device, runtime.dtype);
  readout->to(runtime.device, runtime.dtype);

  auto options = torch::TensorOptions().device(runtime.device).dtype(runtime.dtype);
  torch::NoGradGuard no_grad;
  auto state = torch::zeros({2, hidden}, options);
  for (int t = 0; t < 5; ++t) {
    state = cell->forward(torch::randn({2, 4}, options), state);
    std::cout << t << ": " << readout->forward(state).sum().item<double>() << std::endl;
  }
}
