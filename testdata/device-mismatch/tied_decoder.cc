// The decoder takes the weight of the embedding, which is on another GPU.
#include <torch/torch.h>

int main() {
  torch::Device first("cuda:0"), second("cuda:1");
  torch::nn::Embedding embedding(10, 4);
  torch::nn::Linear decoder(torch::nn::LinearOptions(4, 10).bias(false));
  embedding->to(first);
  decoder->to(second);
  decoder->weight = embedding->weight;
  decoder->forward(torch::rand({2, 4}, second));  // expect: device-mismatch
}
