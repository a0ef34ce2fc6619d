// An archive is filled by the wrapper and read by the net.
#include <torch/torch.h>

#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct PolicyImpl : torch::nn::Module {
  PolicyImpl() {
    body = register_module("body", torch::nn::Linear(4, 16));
    action = register_module("action", torch::nn::Linear(16, 2));
    value = register_module("value", torch::nn::Linear(16, 1));
  }
  torch::Tensor forward(torch::Tensor x) { return action(torch::relu(body(x))); }

  torch::nn::Linear body{nullptr}, action{nullptr}, value{nullptr};
};
TORCH_MODULE(Policy);

class Checkpoint {
 public:
  explicit Checkpoint(std::string path) : path_(std::move(path)) {}

  void write(const torch::nn::Module& model) const {
    torch::serialize::OutputArchive archive;
    model.save(archive);
    archive.save_to(path_);
  }
  void read(torch::nn::Module& model) const {
    torch::serialize::InputArchive archive;
    archive.load_from(path_, torch::kCPU);
    model.load(archive);  // expect: state-dict-prefix
  }

 private:
  std::string path_;
};

int main() {
  Policy trained, playing;
  DataParallel parallel(trained);
  Checkpoint checkpoint("policy.pt");
  checkpoint.write(parallel);
  checkpoint.read(*playing);
}
