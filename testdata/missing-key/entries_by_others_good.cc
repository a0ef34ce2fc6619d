// Entries that an optimizer writes, that an unseen function may write, that the program looks for
// itself, and that a module writes for a layer without tensors.
#include <torch/torch.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <string>

struct NetImpl : torch::nn::Module {
  NetImpl()
      : head(register_module("head", torch::nn::Linear(4, 2))),
        act(register_module("act", torch::nn::ReLU())) {}
  torch::nn::Linear head;
  torch::nn::ReLU act;
};
TORCH_MODULE(Net);

void read_optimizer() {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  torch::serialize::OutputArchive archive;
  archive.write("epoch", torch::tensor(1));
  optimizer.save(archive);
  archive.save_to("entries_of_optimizer.pt");
  torch::serialize::InputArchive from, groups;
  from.load_from("entries_of_optimizer.pt");
  from.read("param_groups", groups);
}

void read_others(const std::function<void(torch::serialize::OutputArchive&)>& write_more) {
  torch::serialize::OutputArchive archive;
  archive.write("epoch", torch::tensor(1));
  write_more(archive);
  archive.save_to("entries_of_others.pt");
  torch::serialize::InputArchive from;
  from.load_from("entries_of_others.pt");
  torch::Tensor mean;
  from.read("mean", mean);
}

void read_layer() {
  Net net;
  torch::serialize::OutputArchive model, archive;
  net->save(model);
  archive.write("model", model);
  archive.save_to("entries_of_layers.pt");
  torch::serialize::InputArchive from, state, layer;
  from.load_from("entries_of_layers.pt");
  from.read("model", state);
  state.read("act", layer);
  state.read("head", layer);
}

void read_what_is_there() {
  torch::serialize::InputArchive from;
  from.load_from("entries_of_others.pt");
  const std::vector<std::string> keys = from.keys();
  torch::Tensor scale;
  if (std::find(keys.begin(), keys.end(), "scale") != keys.end()) from.read("scale", scale);
  try {
    from.read("old_mean", scale);
  } catch (const c10::Error&) {
    from.read("mean", scale);
  }
}

int main() {
  read_optimizer();
  read_others(
      [](torch::serialize::OutputArchive& archive) { archive.write("mean", torch::zeros({4})); });
  read_layer();
  read_what_is_there();
}
