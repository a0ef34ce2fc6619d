#ifndef NET_H_
#define NET_H_

#include <torch/torch.h>

class NetImpl : public torch::nn::Module {
 public:
  NetImpl();
  torch::Tensor forward(torch::Tensor x);

 private:
  torch::nn::Conv2d conv_{nullptr};
  torch::nn::Linear fc_{nullptr};  // expect: unregistered-state
  torch::nn::MaxPool2d pool_{2};
};
TORCH_MODULE(Net);

#endif  // NET_H_
