// The main card and the list of cards are two settings, which need not agree.
#include <torch/torch.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct Settings {
  torch::Device main_card = torch::Device("cuda:1");
  std::vector<torch::Device> cards = {torch::Device("cuda:0"), torch::Device("cuda:1")};
  int epochs = 2;
};

class Experiment {
 public:
  explicit Experiment(Settings settings) : settings_(std::move(settings)) {
    nets_.emplace("student", torch::nn::Linear(8, 4));
    for (auto& [name, net] : nets_) net->to(settings_.main_card);
  }

  torch::Tensor run(const std::string& name) {
    if (settings_.cards.size() < 2) return nets_.at(name)->forward(torch::rand({8, 8}));
    DataParallel parallel(nets_.at(name), DeviceIds(settings_.cards), settings_.main_card);
    torch::Tensor output;
    for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
      output = parallel.forward(torch::rand({8, 8}));  // expect: data-parallel-placement
    }
    return output;
  }

 private:
  Settings settings_;
  std::map<std::string, torch::nn::Linear> nets_;
};

int main() {
  Experiment experiment{Settings()};
  torch::Tensor output = experiment.run("student");
}
