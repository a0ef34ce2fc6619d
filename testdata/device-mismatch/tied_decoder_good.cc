// forward() uses the tensor that was assigned, where it is then.
#include <torch/torch.h>

int main() {
  torch::Device first("cuda:0"), second("cuda:1");
  torch::nn::Embedding embedding(10, 4);
  torch::nn::Linear decoder(torch::nn::LinearOptions(4, 10).bias(false));
  embedding->to(first);
  decoder->weight = embedding->weight;
  decoder->forward(torch::rand({2, 4}, first));
  embedding->to(second);
  decoder->forward(torch::rand({2, 4}, second));
}
