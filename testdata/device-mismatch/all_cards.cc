// Lists with a device for each card, filled in loops over as many as there are.
#include <torch/torch.h>

#include <vector>

std::vector<torch::Device> all_cards() {
  std::vector<torch::Device> cards;
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) cards.emplace_back(torch::kCUDA, i);
  return cards;
}

int main() {
  std::vector<torch::Device> cards = all_cards();
  auto first = torch::ones({4}, cards[0]);
  auto second = torch::ones({4}, cards[1]);
  auto moved = first + second.to(first.device());
  auto sum = first + second;  // expect: device-mismatch

  std::vector<torch::Device> pushed;
  for (int i = 0; i < torch::cuda::device_count(); ++i)
    pushed.push_back(torch::Device(torch::kCUDA, i));
  auto weight = torch::rand({4, 4}, pushed[0]);
  auto alike = weight.mv(first);
  auto scores = weight.mv(second);  // expect: device-mismatch

  std::vector<torch::Tensor> parts;
  for (const torch::Device& card : cards) parts.push_back(torch::ones({4}, card));
  auto total = parts[0].to(cards[1]) + parts[1];
}
