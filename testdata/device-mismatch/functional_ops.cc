// Free functions and operators that combine tensors.
#include <torch/torch.h>

namespace F = torch::nn::functional;

int main() {
  auto card = torch::rand({4, 4}, torch::kCUDA);
  auto host = torch::rand({4, 4});
  auto image = torch::rand({1, 2, 8, 8}, torch::kCUDA);
  auto kernel = torch::rand({3, 2, 3, 3});

  auto a = torch::matmul(card, host);                             // expect: device-mismatch
  auto b = torch::mm(host, card);                                 // expect: device-mismatch
  auto c = card.unsqueeze(0).bmm(host.unsqueeze(0));              // expect: device-mismatch
  auto d = F::linear(card, host);                                 // expect: device-mismatch
  auto e = F::conv2d(image, kernel);                              // expect: device-mismatch
  auto f = torch::where(host > 0.5, card, card);                  // expect: device-mismatch
  auto g = torch::cat({card, host}, 0);                           // expect: device-mismatch
  auto h = card.gather(1, host.argmax(1, true));                  // expect: device-mismatch
  auto i = torch::binary_cross_entropy(torch::sigmoid(card), host);  // expect: device-mismatch
  auto j = torch::addmm(host, card, card);                        // expect: device-mismatch
  auto k = F::mse_loss(card, host);                               // expect: device-mismatch
  auto l = torch::einsum("ij,jk->ik", {card, host});              // expect: device-mismatch
  auto m = card.eq(host);                                         // expect: device-mismatch
  auto n = -host * card;                                          // expect: device-mismatch
  auto o = torch::max(card, host);                                // expect: device-mismatch
  auto p = host.masked_select(card > 0.5);                        // expect: device-mismatch
  return 0;
}
