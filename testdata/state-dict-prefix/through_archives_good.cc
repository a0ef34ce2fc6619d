// The net is a part of a larger file, whoever wraps it: the same part is read again.
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

  void write(const torch::nn::Module& model, int64_t epoch) const {
    torch::serialize::OutputArchive archive, part;
    model.save(part);
    archive.write("model", part);
    archive.write("epoch", torch::tensor(epoch), /*is_buffer=*/true);
    archive.save_to(path_);
  }
  int64_t read(torch::nn::Module& model) const {
    torch::serialize::InputArchive archive, part;
    archive.load_from(path_, torch::kCPU);
    archive.read("model", part);
    model.load(part);
    torch::Tensor epoch;
    archive.read("epoch", epoch, /*is_buffer=*/true);
    return epoch.item<int64_t>();
  }

 private:
  std::string path_;
};

// The part that a wrapper leaves behind is what its net reads.
void read_below_the_prefix(Policy& policy, const std::string& path) {
  torch::serialize::InputArchive archive, inner;
  archive.load_from(path, torch::kCPU);
  if (archive.try_read("module", inner)) {
    policy->load(inner);
  } else {
    policy->load(archive);
  }
}

int main() {
  Policy trained, playing, deployed;
  DataParallel parallel(trained);
  Checkpoint checkpoint("policy.pt");
  checkpoint.write(*parallel.module(), 7);
  const int64_t epoch = checkpoint.read(*playing);

  torch::serialize::OutputArchive whole;
  parallel.save(whole);
  whole.save_to("wrapped.pt");
  read_below_the_prefix(deployed, "wrapped.pt");
}
