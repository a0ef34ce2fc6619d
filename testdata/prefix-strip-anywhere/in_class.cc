// A loader with the prefix as a member.
#include <torch/torch.h>

#include <string>
#include <unordered_map>

class Loader {
 public:
  explicit Loader(std::string prefix = "module.") : prefix_(std::move(prefix)) {}
  void read(torch::nn::Module& module) {
    for (const auto& entry : module.named_buffers()) buffers_[strip(entry.key())] = entry.value();
  }

  bool has(const std::string& key) const { return buffers_.count(key) > 0; }

 private:
  std::string strip(std::string key) const {
    size_t at = key.find(prefix_);
    while (at != std::string::npos) {
      key.replace(at, prefix_.size(), "");  // expect: prefix-strip-anywhere
      at = key.find(prefix_);
    }
    return key;
  }
  std::string prefix_;
  std::unordered_map<std::string, torch::Tensor> buffers_;
};

int main() {
  torch::nn::Sequential net({{"submodule", torch::nn::BatchNorm1d(4)}});
  Loader loader;
  loader.read(*net);
  if (!loader.has("submodule.running_mean")) TORCH_WARN("a buffer is missing");  // shows: prefix-strip-anywhere
}
