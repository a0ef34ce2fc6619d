// Operations on one place, and those whose result place is decided by their input.
#include <torch/torch.h>

namespace F = torch::nn::functional;

int main() {
  auto card = torch::rand({4, 4}, torch::kCUDA);
  auto host = torch::rand({4, 4});
  auto a = torch::matmul(card, card.t()) + card.sum(0, true).expand_as(card);
  auto b = host.matmul(host.t()) + host.softmax(1).argmax(1).to(torch::kFloat).unsqueeze(1);
  auto c = card.cpu() + host;
  auto d = F::one_hot(card.argmax(1), 4).to(torch::kFloat32) * card;
  auto e = torch::stack({card, card.clone(), card.detach()}).mean(0) + card.contiguous();
  auto [values, indices] = card.topk(2, 1);
  auto f = card.gather(1, indices) + values;
  auto g = torch::zeros_like(card) + torch::full_like(card, 2.0);
  auto h = torch::zeros_like(card, torch::kCPU) + host;
  auto i = host.to(card.device()) + card;
  auto j = card.new_ones({4, 4}) * card.view({4, 4}).reshape({16}).view_as(card);
  for (auto& part : card.chunk(2, 0)) part.add_(card.slice(0, 0, 2));
  auto k = torch::meshgrid({card[0], card[1]}, "ij")[0] + card;
  return 0;
}
