#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <sstream>

// Training that is stopped and taken up again on another GPU, from a checkpoint in memory that
// has the weights and the number of steps.

struct NetImpl : torch::nn::Module {
  NetImpl() {
    hidden = register_module("hidden", torch::nn::Linear(4, 8));
    out = register_module("out", torch::nn::Linear(8, 2));
    register_buffer("mean", torch::zeros({4}));
  }
  torch::Tensor forward(torch::Tensor x) {
    return out(torch::relu(hidden(x - named_buffers()["mean"])));
  }
  torch::nn::Linear hidden{nullptr}, out{nullptr};
};
TORCH_MODULE(Net);

class Session {
 public:
  explicit Session(torch::Device device)
      : device_(device), optimizer_(net_->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9)) {
    net_->to(device_);
  }

  void train(int steps) {
    for (int i = 0; i < steps; ++i, ++step_) {
      auto x = torch::randn({10, 4}).to(device_);
      auto y = x.select(1, 1).gt(0).to(torch::kLong);
      optimizer_.zero_grad();
      auto loss = torch::nn::functional::cross_entropy(net_(x), y);
      loss.backward();
      optimizer_.step();
      std::cout << device_ << " step " << step_ << " loss " << loss.item<float>() << "\n";
    }
  }

  std::string save() {
    torch::serialize::OutputArchive archive, net;
    net_->save(net);
    archive.write("net", net);
    archive.write("step", torch::tensor(step_), /*is_buffer=*/true);
    std::ostringstream stream;
    archive.save_to(stream);
    return stream.str();
  }

  void load(const std::string& bytes) {
    std::istringstream stream(bytes);
    torch::serialize::InputArchive archive, net;
    archive.load_from(stream, device_);
    archive.read("net", net);
    net_->load(net);
    net_->to(device_);
    torch::Tensor step;
    archive.read("step", step, /*is_buffer=*/true);
    step_ = step.item<int64_t>();
  }

  const Net& net() const { return net_; }

 private:
  torch::Device device_;
  Net net_;
  torch::optim::SGD optimizer_;
  int64_t step_ = 0;
};

int main() {
  torch::manual_seed(34);
  Session first(torch::Device("cuda:0"));
  first.train(3);
  const auto bytes = first.save();

  Session second(torch::Device("cuda:1"));
  second.load(bytes);
  second.train(3);

  torch::NoGradGuard guard;
  double distance = 0;
  auto a = first.net()->parameters(), b = second.net()->parameters();
  for (size_t i = 0; i < a.size(); ++i) distance += (a[i].cpu() - b[i].cpu()).abs().sum().item<double>();
  std::cout << "moved by " << distance << "\n";
}
