// Lists whose elements change places or go: an element is one of those that there were.
#include <torch/torch.h>

#include <algorithm>
#include <vector>

torch::Tensor decode(std::vector<torch::Tensor> features) {
  std::reverse(std::begin(features), std::end(features));
  auto head = features[0];
  features.erase(features.begin());
  for (size_t i = 0; i < features.size(); ++i) head = head + features[i];
  return head;
}

int main() {
  torch::Device device(torch::kCUDA);
  std::vector<torch::Tensor> features;
  for (int i = 0; i < 4; ++i) features.push_back(torch::rand({3, 4}, device));
  auto decoded = decode(features);
  auto bad = decoded + torch::rand({3, 4});  // expect: device-mismatch

  std::vector<torch::Tensor> mixed = {torch::rand({3, 4}), torch::rand({3, 4}, device)};
  std::reverse(mixed.begin(), mixed.end());
  auto first = mixed[0] + decoded;
  mixed.pop_back();
  auto last = mixed.back() + decoded;
}
