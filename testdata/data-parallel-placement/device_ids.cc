// arguments: 0 1
// The wrapped module must be on the first of the listed devices when it runs, not when it is wrapped.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

int main(int argc, char** argv) {
  const torch::Device first("cuda:0"), second("cuda:1");
  auto input = torch::rand({16, 4});

  torch::nn::Linear wrapped_first(4, 2);
  auto good = std::make_shared<DataParallel>(wrapped_first, placecheck::parallel::DeviceIds{first, second});
  wrapped_first->to(first);
  auto output = good->forward(input);

  torch::nn::Linear never_moved(4, 2);
  auto on_host = std::make_shared<DataParallel>(never_moved, placecheck::parallel::DeviceIds{first, second});
  if (argc == 1) output = on_host->forward(input);  // expect: data-parallel-placement

  torch::nn::Linear elsewhere(4, 2);
  elsewhere->to(second);
  auto other = std::make_shared<DataParallel>(elsewhere, placecheck::parallel::DeviceIds{first, second});
  output = other->forward(input);  // expect: data-parallel-placement
  return 0;
}
