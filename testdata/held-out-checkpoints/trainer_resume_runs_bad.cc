#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

struct Options {
  int64_t inputs = 5;
  int64_t hidden = 10;
  double lr = 5e-3;
  int epochs_per_run = 2;
  std::string prefix = "/tmp/translator";
};

struct Model : torch::nn::Module {
  explicit Model(const Options& o) {
    lin1 = register_module("lin1", torch::nn::Linear(o.inputs, o.hidden));
    lin2 = register_module("lin2", torch::nn::Linear(o.hidden, o.inputs));
  }
  torch::Tensor forward(torch::Tensor x) { return lin2(torch::gelu(lin1(x))); }
  torch::nn::Linear lin1{nullptr}, lin2{nullptr};
};

class Trainer {
 public:
  Trainer(Options options, torch::Device device)
      : options_(std::move(options)),
        device_(device),
        model_(std::make_shared<Model>(options_)),
        optimizer_(model_->parameters(), torch::optim::AdamOptions(options_.lr)) {
    model_->to(device_);
  }

  void save() {
    torch::save(model_, options_.prefix + ".model");
    torch::save(optimizer_, options_.prefix + ".optim");
  }

  // The checkpoint may come from another machine, so it is read to the CPU first.
  void resume() {
    torch::load(model_, options_.prefix + ".model", torch::kCPU);
    torch::load(optimizer_, options_.prefix + ".optim", torch::kCPU);
    model_->to(device_);
  }

  void run() {
    for (int epoch = 0; epoch < options_.epochs_per_run; ++epoch) {
      auto x = torch::randn({16, options_.inputs}, device_);
      optimizer_.zero_grad();
      auto loss = torch::mse_loss(model_->forward(x), x.flip(1));
      loss.backward();
      optimizer_.step(); // expect: optimizer-state-device
      std::cout << "  loss " << loss.item<float>() << "\n";
    }
  }

 private:
  Options options_;
  torch::Device device_;
  std::shared_ptr<Model> model_;
  torch::optim::Adam optimizer_;
};

int main() {
  torch::manual_seed(4);
  Options options;
  {
    std::cout << "first run\n";
    Trainer trainer(options, torch::Device("cuda:0"));
    trainer.run();
    trainer.save();
  }
  std::cout << "second run\n";
  Trainer trainer(options, torch::Device("cuda:0"));
  trainer.resume();
  trainer.run();
  std::remove((options.prefix + ".model").c_str());
  std::remove((options.prefix + ".optim").c_str());
}
