#include "net.h"

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto y = net->forward(torch::rand({2, 1, 8, 8}, torch::kCUDA));
}
