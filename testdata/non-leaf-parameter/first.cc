// A tensor to be trained is the result of a transfer, which is no leaf.
#include <torch/torch.h>

int main() {
  auto batch = torch::rand({4, 8});  // expect: non-leaf-parameter
}
