#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct SpeakerNetImpl : torch::nn::Cloneable<SpeakerNetImpl> {
  SpeakerNetImpl(int64_t mels, int64_t speakers) : mels(mels), speakers(speakers) { reset(); }
  void reset() override {
    frame = register_module("frame", torch::nn::Linear(mels, 12));
    utterance = register_module("utterance", torch::nn::Linear(24, speakers));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto h = torch::relu(frame(x));
    auto pooled = torch::cat({h.mean(1), h.std(1)}, 1);
    return utterance(pooled);
  }
  int64_t mels, speakers;
  torch::nn::Linear frame{nullptr}, utterance{nullptr};
};
TORCH_MODULE(SpeakerNet);

struct Options {
  std::string checkpoint = "/tmp/cc6_speaker.pt";
  std::vector<int> train_gpus{1, 0};  // GPU 0 drives the display of the workstation
  std::vector<int> resume_gpus{0, 1};
  int steps = 3;
};

std::shared_ptr<DataParallel> make_parallel(const std::vector<int>& gpus) {
  auto parallel = std::make_shared<DataParallel>(SpeakerNet(10, 4), gpus);
  parallel->to(torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(gpus.front())));
  return parallel;
}

void train(DataParallel& net, int steps) {
  const torch::Device device = *net.output_device();
  torch::optim::SGD sgd(net.parameters(), 0.1);
  for (int step = 0; step < steps; ++step) {
    auto speech = torch::randn({8, 5, 10});
    auto speaker = torch::randint(0, 4, {8}, torch::kLong).to(device);
    sgd.zero_grad();
    auto scores = net.forward(speech); // expect: data-parallel-placement
    auto loss = torch::nn::functional::cross_entropy(scores, speaker);
    loss.backward();
    sgd.step();
    std::cout << "step " << step << " " << loss.item<float>() << std::endl;
  }
}

int main() {
  torch::manual_seed(67);
  const Options options;
  {
    auto net = make_parallel(options.train_gpus);
    train(*net, options.steps);
    torch::save(net, options.checkpoint);
  }

  std::cout << "resuming" << std::endl;
  auto net = make_parallel(options.resume_gpus);
  torch::load(net, options.checkpoint);
  train(*net, options.steps);
  return 0;
}
