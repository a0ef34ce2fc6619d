#include <torch/torch.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

// Hidden states of a streaming recognizer are parked in a file and picked up by another GPU.

class Recognizer {
 public:
  explicit Recognizer(torch::Device device) : device_(device), cell_(4, 6), readout_(6, 3) {
    cell_->to(device_);
    readout_->to(device_);
    hidden_ = torch::zeros({1, 6}, device_);
    memory_ = torch::zeros({1, 6}, device_);
  }

  int64_t feed(const torch::Tensor& frame) {
    torch::NoGradGuard no_grad;
    auto state = std::make_tuple(hidden_, memory_);
    std::tie(hidden_, memory_) = cell_->forward(frame.to(device_), state);
    return readout_->forward(hidden_).argmax(1).item<int64_t>();
  }

  void park(const std::string& stem) const {
    torch::save(cell_, stem + ".cell");
    torch::save(readout_, stem + ".readout");
    torch::save(std::vector<torch::Tensor>{hidden_, memory_}, stem + ".state");
  }

  static Recognizer pick_up(const std::string& stem, torch::Device device) {
    Recognizer recognizer(device);
    torch::load(recognizer.cell_, stem + ".cell");
    torch::load(recognizer.readout_, stem + ".readout");
    recognizer.cell_->to(device);
    recognizer.readout_->to(device);
    std::vector<torch::Tensor> state;
    torch::load(state, stem + ".state");
    recognizer.hidden_ = state.at(0).to(device);
    recognizer.memory_ = state.at(1).to(device);
    return recognizer;
  }

  torch::Device device() const { return device_; }

 private:
  torch::Device device_;
  torch::nn::LSTMCell cell_;
  torch::nn::Linear readout_;
  torch::Tensor hidden_, memory_;
};

int main() {
  torch::manual_seed(46);
  const std::string stem = "/tmp/recognizer";
  {
    Recognizer recognizer(torch::Device("cuda:0"));
    for (int t = 0; t < 4; ++t) std::cout << recognizer.feed(torch::randn({1, 4})) << " ";
    recognizer.park(stem);
    std::cout << "| parked\n";
  }

  auto recognizer = Recognizer::pick_up(stem, torch::Device("cuda:1"));
  for (int t = 0; t < 4; ++t) std::cout << recognizer.feed(torch::randn({1, 4})) << " ";
  std::cout << "| on " << recognizer.device() << "\n";

  for (const char* ending : {".cell", ".readout", ".state"}) std::remove((stem + ending).c_str());
}
