#include <torch/torch.h>

#include <iostream>
#include <vector>

// A U-shaped network in two stages, one a GPU, trained with micro-batches.

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() {
    conv1 = register_module("conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3).padding(1)));
    conv2 = register_module("conv2", torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 8, 3).padding(1).stride(2)));
  }
  std::pair<torch::Tensor, torch::Tensor> forward(torch::Tensor x) {
    auto skip = torch::relu(conv1(x));
    return {torch::relu(conv2(skip)), skip};
  }
  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
};
TORCH_MODULE(Encoder);

struct DecoderImpl : torch::nn::Module {
  DecoderImpl() {
    mid = register_module("mid", torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 4, 1)));
    last = register_module("last", torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 2, 1)));
  }
  torch::Tensor forward(torch::Tensor bottom, torch::Tensor skip) {
    auto up = mid(bottom).repeat_interleave(2, 2).repeat_interleave(2, 3);
    return last(torch::cat({up, skip}, 1));
  }
  torch::nn::Conv2d mid{nullptr}, last{nullptr};
};
TORCH_MODULE(Decoder);

struct TwoStageImpl : torch::nn::Module {
  TwoStageImpl(torch::Device a, torch::Device b) : first(a), second(b) {
    encoder = register_module("encoder", Encoder());
    decoder = register_module("decoder", Decoder());
    encoder->to(first);
    decoder->to(second);
  }
  torch::Tensor forward(torch::Tensor x) {
    auto [bottom, skip] = encoder->forward(x.to(first));
    return decoder->forward(bottom.to(second), skip.to(second));
  }
  torch::Device first, second;
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
};
TORCH_MODULE(TwoStage);

int main() {
  torch::manual_seed(5);
  TwoStage net(torch::Device(torch::kCUDA, 0), torch::Device(torch::kCUDA, 1));
  torch::optim::Adam optimizer(net->parameters(), 5e-3);

  const int micro = 4;
  for (int step = 0; step < 3; ++step) {
    auto images = torch::rand({8, 1, 8, 8}, net->first);
    auto labels = images.squeeze(1).gt(0.5).to(torch::kLong).to(net->second);

    std::vector<torch::Tensor> image_parts = images.chunk(micro);
    std::vector<torch::Tensor> label_parts = labels.chunk(micro);
    optimizer.zero_grad();
    double total = 0;
    for (size_t m = 0; m < image_parts.size(); ++m) {
      auto logits = net(image_parts[m]);
      auto loss = torch::nn::functional::cross_entropy(logits, label_parts[m]) / micro;
      loss.backward();
      total += loss.item<double>();
    }
    optimizer.step();
    std::cout << "step " << step << " loss " << total << "\n";
  }
}
