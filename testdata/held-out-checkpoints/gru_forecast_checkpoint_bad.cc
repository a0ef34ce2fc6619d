#include <torch/torch.h>

#include <iostream>
#include <string>

// Checkpoints with model, optimizer and epoch in one file.

struct Checkpointer {
  std::string path;

  void save(const torch::nn::Module& model, const torch::optim::Optimizer& optimizer, int64_t epoch) const {
    torch::serialize::OutputArchive root, model_archive, optimizer_archive;
    model.save(model_archive);
    optimizer.save(optimizer_archive);
    root.write("model", model_archive);
    root.write("optim", optimizer_archive);
    root.write("epoch", c10::IValue(epoch));
    root.save_to(path);
  }

  int64_t resume(torch::nn::Module& model, torch::optim::Optimizer& optimizer, torch::Device device) const {
    torch::serialize::InputArchive root;
    root.load_from(path, device);
    torch::serialize::InputArchive model_archive, optimizer_archive;
    root.read("model", model_archive);
    model.load(model_archive);
    root.read("optimizer", optimizer_archive); // expect: missing-key
    optimizer.load(optimizer_archive);
    c10::IValue epoch;
    root.read("epoch", epoch);
    return epoch.toInt();
  }
};

struct ForecastImpl : torch::nn::Module {
  ForecastImpl() {
    gru = register_module("gru", torch::nn::GRU(torch::nn::GRUOptions(2, 6).batch_first(true)));
    out = register_module("out", torch::nn::Linear(6, 1));
  }
  torch::Tensor forward(torch::Tensor series) {
    auto states = std::get<0>(gru(series));
    return out(states.select(1, -1));
  }
  torch::nn::GRU gru{nullptr};
  torch::nn::Linear out{nullptr};
};
TORCH_MODULE(Forecast);

float train_one_epoch(Forecast& net, torch::optim::Optimizer& optimizer, torch::Device device) {
  auto series = torch::randn({6, 5, 2}, device);
  auto next = series.select(1, 4).sum(1, true);
  optimizer.zero_grad();
  auto loss = torch::mse_loss(net(series), next);
  loss.backward();
  optimizer.step();
  return loss.item<float>();
}

int main() {
  Checkpointer checkpointer{"/tmp/cc6_forecast.pt"};
  const torch::Device device(torch::kCUDA, 0);
  {
    Forecast net;
    net->to(device);
    torch::optim::Adagrad optimizer(net->parameters(), 0.05);
    for (int64_t epoch = 1; epoch <= 3; ++epoch) {
      std::cout << "epoch " << epoch << " " << train_one_epoch(net, optimizer, device) << std::endl;
      checkpointer.save(*net, optimizer, epoch);
    }
  }

  Forecast net;
  net->to(device);
  torch::optim::Adagrad optimizer(net->parameters(), 0.05);
  const int64_t done = checkpointer.resume(*net, optimizer, device);
  for (int64_t epoch = done + 1; epoch <= done + 2; ++epoch) {
    std::cout << "epoch " << epoch << " " << train_one_epoch(net, optimizer, device) << std::endl;
  }
}
