// The checkpoint is written with one name for the model, and read with another.
#include <torch/torch.h>

#include <iostream>
#include <string>

torch::nn::Sequential make_net() {
  return torch::nn::Sequential(torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::Linear(8, 2));
}

void save_checkpoint(const std::string& path, torch::nn::Sequential& net,
                     torch::optim::Optimizer& optimizer, int64_t epoch) {
  torch::serialize::OutputArchive archive, model, state;
  net->save(model);
  optimizer.save(state);
  archive.write("model", model);
  archive.write("optimizer", state);
  archive.write("epoch", torch::tensor(epoch));
  archive.save_to(path);
}

int main() {
  const std::string path = "archive_entry.pt";
  torch::nn::Sequential net = make_net();
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  save_checkpoint(path, net, optimizer, 3);

  torch::serialize::InputArchive archive, model, state;
  archive.load_from(path, torch::kCPU);
  torch::Tensor epoch;
  archive.read("epoch", epoch);
  archive.read("optimizer", state);
  archive.read("net", model);  // expect: missing-key
  torch::nn::Sequential restored = make_net();
  restored->load(model);
}
