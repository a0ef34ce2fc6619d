// What a loop does to each element of a list is done to all of them.
#include <torch/torch.h>

#include <functional>
#include <vector>

struct Scaler {
  torch::Tensor mean = torch::zeros({5}), deviation = torch::ones({5});
  void to(torch::Device device) {
    for (torch::Tensor* each : {&mean, &deviation}) *each = each->to(device);
  }
  torch::Tensor operator()(torch::Tensor x) { return (x - mean) / deviation; }
};

void modules(torch::Device device) {
  torch::nn::Linear encoder(5, 5), decoder(5, 5), head(5, 2);
  for (auto* each : {&encoder, &decoder}) (*each)->to(device);
  auto x = torch::rand({3, 5}, device);
  auto y = decoder(encoder(x));
  for (auto each : {encoder, decoder}) each->eval();
  head(y);  // expect: device-mismatch
}

void tensors_by_index(torch::Device device) {
  std::vector<torch::Tensor> all{torch::rand({5}), torch::rand({5})};
  for (size_t i = 0; i < all.size(); ++i) all[i] = all[i].to(device);
  auto sum = torch::rand({5}, device) + all[0] + all[1];
}

void first_only(torch::Device device) {
  std::vector<torch::Tensor> all{torch::rand({5}), torch::rand({5})};
  for (size_t i = 0; i < 1; ++i) all[i] = all[i].to(device);
  auto sum = torch::rand({5}, device) + all[0];
  sum = sum + all[1];  // expect: device-mismatch
}

void copies(torch::Device device) {
  std::vector<torch::Tensor> all{torch::rand({5}), torch::rand({5})};
  for (auto each : all) each = each.to(device);
  auto sum = torch::rand({5}, device) + all[0];  // expect: device-mismatch
}

int main() {
  torch::Device device(torch::kCUDA);
  Scaler scale;
  scale.to(device);
  auto scaled = scale(torch::rand({5}, device));
  modules(device);
  tensors_by_index(device);
  first_only(device);
  copies(device);
  return 0;
}
