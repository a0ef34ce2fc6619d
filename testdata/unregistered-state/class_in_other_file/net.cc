#include "net.h"

NetImpl::NetImpl() {
  conv_ = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 2, 3)));
  fc_ = torch::nn::Linear(2 * 3 * 3, 4);
}

torch::Tensor NetImpl::forward(torch::Tensor x) { return fc_(pool_(conv_(x)).flatten(1)); }
