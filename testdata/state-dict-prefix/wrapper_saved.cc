// arguments: 0 1
// Saved from the wrapper, loaded into the bare module, and the right ways beside it.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

int main(int argc, char** argv) {
  torch::nn::Linear net(4, 2);
  auto parallel = std::make_shared<placecheck::parallel::DataParallel>(net);
  torch::save(parallel, "wrapped.pt");
  torch::save(net, "bare.pt");

  torch::nn::Linear fresh(4, 2);
  torch::load(fresh, "bare.pt");
  if (argc == 1) torch::load(fresh, "wrapped.pt");  // expect: state-dict-prefix

  torch::nn::Linear inner(4, 2);
  auto again = std::make_shared<placecheck::parallel::DataParallel>(inner);
  torch::load(again, "wrapped.pt");
  torch::load(again, "bare.pt");  // expect: state-dict-prefix
  return 0;
}
