#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <optional>
#include <vector>

// BYOL in small: the online network learns on the first GPU, the slowly moving target network runs
// on the second. The average is made there, too.
struct BackboneImpl : torch::nn::Cloneable<BackboneImpl> {
  BackboneImpl() { reset(); }
  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(12, 24));
    bn = register_module("bn", torch::nn::BatchNorm1d(24));
    fc2 = register_module("fc2", torch::nn::Linear(24, 8));
  }
  torch::Tensor forward(torch::Tensor x) { return fc2(torch::relu(bn(fc1(x)))); }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
  torch::nn::BatchNorm1d bn{nullptr};
};
TORCH_MODULE(Backbone);

class Ema {
 public:
  Ema(const Backbone& source, torch::Device device, double tau)
      : source_(source),
        copy_(std::dynamic_pointer_cast<BackboneImpl>(source->clone(device))),
        device_(device),
        tau_(tau) {
    for (auto& p : copy_->parameters()) p.set_requires_grad(false);
  }

  void update() {
    torch::NoGradGuard guard;
    auto from = source_->parameters();
    auto to = copy_->parameters();
    for (size_t i = 0; i < from.size(); ++i) to[i].lerp_(from[i].to(device_), 1 - tau_);
    auto buffers = source_->buffers();
    auto mine = copy_->buffers();
    // Running statistics and the count of batches are taken over as they are.
    for (size_t i = 0; i < buffers.size(); ++i) mine[i].copy_(buffers[i]);
  }

  torch::Tensor operator()(const torch::Tensor& x) {
    torch::NoGradGuard guard;
    return copy_->forward(x.to(device_));
  }

  double distance() const {
    double d = 0;
    auto from = source_->parameters();
    auto to = copy_->parameters();
    for (size_t i = 0; i < from.size(); ++i) {
      d += (from[i].detach().cpu() - to[i].cpu()).pow(2).sum().item<double>();
    }
    return d;
  }

 private:
  Backbone source_, copy_;
  torch::Device device_;
  double tau_;
};

torch::Tensor negative_cosine(const torch::Tensor& p, const torch::Tensor& z) {
  return 2 - 2 * torch::cosine_similarity(p, z, 1).mean();
}

int main() {
  torch::manual_seed(50);
  const torch::Device online_device("cuda:0"), target_device("cuda:1");
  Backbone online;
  torch::nn::Linear predictor(8, 8);
  online->to(online_device);
  predictor->to(online_device);
  Ema target(online, target_device, 0.9);

  auto params = online->parameters();
  for (auto& p : predictor->parameters()) params.push_back(p);
  torch::optim::Adam adam(params, torch::optim::AdamOptions(3e-3));

  auto data = torch::randn({32, 12});
  for (int step = 0; step < 4; ++step) {
    auto one = (data + 0.1 * torch::randn_like(data)).to(online_device);
    auto two = (data + 0.1 * torch::randn_like(data)).to(online_device);
    auto p1 = predictor(online(one));
    auto p2 = predictor(online(two));
    auto z1 = target(one).to(p2.device());
    auto z2 = target(two).to(p1.device());
    auto loss = negative_cosine(p1, z2) + negative_cosine(p2, z1);
    adam.zero_grad();
    loss.backward();
    adam.step();
    target.update();
    std::cout << "step " << step << " loss " << loss.item<float>() << " distance "
              << target.distance() << "\n";
  }
}
