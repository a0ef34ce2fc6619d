// Texts that the constructor of a device refuses, in every way in which one is given.
#include <torch/torch.h>

int main() {
  torch::Device gpu("gpu");                                  // expect: invalid-device
  torch::Device upper("CUDA:0");                             // expect: invalid-device
  torch::Device no_colon("cuda0");                           // expect: invalid-device
  torch::Device blank("cuda 0");                             // expect: invalid-device
  torch::Device negative("cuda:-1");                         // expect: invalid-device
  torch::Device zeros("cuda:01");                            // expect: invalid-device
  torch::Device open("cuda:");                               // expect: invalid-device
  torch::Device nothing("");                                 // expect: invalid-device
  torch::Device large("cuda:99999999999");                   // expect: invalid-device
  auto x = torch::zeros({2}).to("gpu:0");                    // expect: invalid-device
  auto y = torch::zeros({2}, torch::TensorOptions().device("GPU"));  // expect: invalid-device
}
