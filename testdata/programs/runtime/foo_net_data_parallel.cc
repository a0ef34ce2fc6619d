// A net on two devices: a batch of 16 is 8 and 8 inside, and 16 again outside.
#include <cstdio>
#include <sstream>

#include "runtime/runtime.h"

namespace torch = placecheck::runtime;

struct FooNetImpl : torch::nn::Module {
  FooNetImpl() : linears(register_module("linears", torch::nn::ModuleList())) {
    linears->push_back(torch::nn::Linear(torch::nn::LinearOptions(5, 5).bias(false)));
    linears->push_back(torch::nn::Linear(torch::nn::LinearOptions(5, 4).bias(false)));
    linears->push_back(torch::nn::Linear(torch::nn::LinearOptions(4, 3).bias(false)));
  }

  torch::Tensor forward(torch::Tensor x) {
    std::printf("inside: %d\n", static_cast<int>(x.size(0)));
    for (std::size_t i = 0; i < linears->size(); ++i) {
      x = torch::relu(linears->at<torch::nn::Linear>(i).forward(x));
    }
    return x;
  }

  torch::nn::ModuleList linears;
};
PLACECHECK_MODULE(FooNet);

int main() {
  FooNet model;
  torch::nn::DataParallel net(model, {0, 1});
  net->to("cuda:0");
  torch::Tensor input = torch::rand({16, 5});
  torch::Tensor labels = torch::rand({16, 3}).to("cuda:0");
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  torch::Tensor output = net(input);
  torch::Tensor loss = torch::mse_loss(output, labels);
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
  std::ostringstream text;
  text << output.sizes() << " on " << output.device();
  std::printf("outside: %s\n", text.str().c_str());
}
