// The state of the wrapper is written; a part of it is asked for by the name that it has in what is
// wrapped.
#include <torch/torch.h>

#include <string>

struct NetImpl : torch::nn::Module {
  NetImpl()
      : backbone(register_module("backbone", torch::nn::Linear(4, 4))),
        head(register_module("head", torch::nn::Linear(4, 2))) {}
  torch::nn::Linear backbone, head;
};
TORCH_MODULE(Net);

struct Wrapper : torch::nn::Module {
  explicit Wrapper(Net net) : module(register_module("module", net)) {}
  Net module;
};

int main() {
  const std::string path = "part_of_wrapper.pt";
  Wrapper trained{Net()};
  trained.to(torch::kCUDA);
  torch::serialize::OutputArchive archive, state;
  trained.save(state);
  archive.write("state", state);
  archive.write("epoch", torch::tensor(7));
  archive.save_to(path);

  Net fresh;
  torch::serialize::InputArchive from, saved, part;
  from.load_from(path, torch::kCPU);
  from.read("state", saved);
  saved.read("backbone", part);  // expect: missing-key
  fresh->backbone->load(part);
}
