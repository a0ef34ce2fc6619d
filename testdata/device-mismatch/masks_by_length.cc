// A cache of masks by their length gives the mask of the first GPU to the model on the second.
#include <torch/torch.h>

#include <iostream>
#include <map>
#include <vector>

torch::Tensor causal_mask(int64_t length, torch::Device device) {
  static std::map<int64_t, torch::Tensor> masks;
  auto known = masks.find(length);
  if (known != masks.end()) return known->second;
  torch::Tensor mask = torch::ones({length, length}, device).tril();
  masks.emplace(length, mask);
  return mask;
}

torch::Tensor attend(const torch::Tensor& scores) {
  return scores * causal_mask(scores.size(-1), scores.device());  // expect: device-mismatch
}

int main() {
  std::vector<torch::Tensor> scores{torch::rand({6, 6}, torch::Device(torch::kCUDA, 0)),
                                    torch::rand({6, 6}, torch::Device(torch::kCUDA, 1))};
  size_t next = 0;
  for (const torch::Tensor& part : torch::rand({2, 6, 6}).split(1)) {
    std::cout << attend(scores[next % scores.size()] + part[0].to(scores[next % 2].device()));
    ++next;
  }
}
