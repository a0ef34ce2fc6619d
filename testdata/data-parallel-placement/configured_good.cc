// One list of cards: its first is the main one. What the user may set is not guessed at.
#include <torch/torch.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct Settings {
  std::vector<torch::Device> cards = {torch::Device("cuda:1"), torch::Device("cuda:0")};
  int epochs = 2;
  torch::Device main_card() const { return cards.front(); }
};

class Experiment {
 public:
  explicit Experiment(Settings settings) : settings_(std::move(settings)) {
    nets_.emplace("student", torch::nn::Linear(8, 4));
    for (auto& [name, net] : nets_) net->to(settings_.main_card());
  }

  torch::Tensor run(const std::string& name) {
    DataParallel parallel(nets_.at(name), DeviceIds(settings_.cards), settings_.cards.back());
    torch::Tensor output;
    for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
      output = parallel.forward(torch::rand({8, 8}));
    }
    return output;
  }

 private:
  Settings settings_;
  std::map<std::string, torch::nn::Linear> nets_;
};

void chosen_by_the_user(int first) {
  torch::nn::Linear net(8, 4);
  net->to(torch::Device(torch::kCUDA, first));
  DataParallel parallel(net, DeviceIds{first, first + 1});
  torch::Tensor output = parallel.forward(torch::rand({8, 8}));
}

int main(int argc, char**) {
  Experiment experiment{Settings()};
  torch::Tensor output = experiment.run("student");
  chosen_by_the_user(argc - 1);
}
