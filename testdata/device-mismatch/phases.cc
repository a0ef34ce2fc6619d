// One of the phases is on the GPU, and its inputs are not.
#include <torch/torch.h>

#include <string>

enum class Phase { kIdle, kTrain, kEvaluate, kParked };

class Session {
 public:
  explicit Session(torch::Device gpu) : gpu_(gpu), net_(4, 2) {}

  void handle(char command) {
    switch (command) {
      case 't':
        enter(Phase::kTrain);
        net_->forward(torch::ones({2, 4}));  // expect: device-mismatch
        break;
      case 'e':
        enter(Phase::kEvaluate);
        net_->forward(torch::ones({2, 4}));
        break;
      case 'p':
        enter(Phase::kParked);
        break;
      default:
        break;
    }
  }

 private:
  torch::Device device_of(Phase phase) const {
    return phase == Phase::kTrain ? gpu_ : torch::Device(torch::kCPU);
  }

  void enter(Phase next) {
    const torch::Device have = device_of(phase_), want = device_of(next);
    if (have != want) net_->to(want);
    phase_ = next;
  }

  torch::Device gpu_;
  torch::nn::Linear net_;
  Phase phase_ = Phase::kIdle;
};

int main(int argc, char** argv) {
  const std::string script = argc > 1 ? argv[1] : "ettepte";
  Session session(torch::Device(torch::kCUDA, 1));
  for (const char command : script) session.handle(command);
  session.handle('e');
}
