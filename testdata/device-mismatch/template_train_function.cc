// A generic training function is checked for the types it is instantiated with.
#include <torch/torch.h>

template <typename Model>
torch::Tensor train_step(Model& model, torch::Device device, torch::Tensor x, torch::Tensor y,
                         torch::optim::Optimizer& optimizer) {
  optimizer.zero_grad();
  auto output = model->forward(x.to(device));
  auto loss = torch::mse_loss(output, y);  // expect: device-mismatch
  loss.backward();
  optimizer.step();
  return loss;
}

template <typename Model, typename Loader>
void evaluate(Model& model, torch::Device device, Loader& loader) {
  torch::NoGradGuard no_grad;
  for (auto& batch : loader) {
    auto loss = torch::mse_loss(model->forward(batch.data.to(device)), batch.target.to(device));
    static_cast<void>(loss.template item<float>());
  }
}

class Points : public torch::data::Dataset<Points> {
 public:
  torch::data::Example<> get(size_t) override { return {torch::rand({2}), torch::rand({1})}; }
  torch::optional<size_t> size() const override { return 8; }
};

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(2, 1);
  model->to(device);
  torch::optim::SGD sgd(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(Points().map(torch::data::transforms::Stack<>()), 4);
  evaluate(model, device, *loader);
  train_step(model, device, torch::rand({4, 2}), torch::rand({4, 1}), sgd);
}
