// A model whose class is declared here, defined in net.cc and moved in main.cc.
#ifndef NET_H_
#define NET_H_

#include <torch/torch.h>

class Encoder : public torch::nn::Module {
 public:
  Encoder(int64_t in, int64_t out);
  torch::Tensor forward(torch::Tensor x);

 private:
  torch::nn::Linear hidden_{nullptr};
  torch::nn::Linear output_{nullptr};
};

torch::Tensor make_target(int64_t n);

#endif  // NET_H_
