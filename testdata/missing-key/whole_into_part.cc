// The checkpoint of the whole is loaded into a part of it.
#include <torch/torch.h>

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() { hidden = register_module("hidden", torch::nn::Linear(4, 8)); }
  torch::Tensor forward(const torch::Tensor& x) { return torch::relu(hidden->forward(x)); }
  torch::nn::Linear hidden{nullptr};
};
TORCH_MODULE(Encoder);

struct ClassifierImpl : torch::nn::Module {
  explicit ClassifierImpl(Encoder body)
      : encoder(register_module("encoder", body)),
        head(register_module("head", torch::nn::Linear(8, 2))) {}
  torch::Tensor forward(const torch::Tensor& x) { return head->forward(encoder->forward(x)); }
  Encoder encoder;
  torch::nn::Linear head;
};
TORCH_MODULE(Classifier);

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "whole_into_part.pt";
  {
    Classifier pretrained(Encoder{});
    pretrained->to(torch::kCUDA);
    pretrained->forward(torch::ones({2, 4}, torch::kCUDA));
    torch::save(pretrained, path);
  }
  Encoder body;
  torch::load(body, path);  // expect: missing-key
}
