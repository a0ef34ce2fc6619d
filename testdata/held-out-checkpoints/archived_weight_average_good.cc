#include <torch/torch.h>

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

// Mean teacher: the teacher lives on the CPU copy of the student's weights, the student may move.

class WeightAverage {
 public:
  explicit WeightAverage(double decay) : decay_(decay) {}

  void track(const torch::nn::Module& module) {
    torch::NoGradGuard guard;
    for (const auto& p : module.named_parameters()) {
      auto value = p.value().detach();
      auto it = average_.find(p.key());
      if (it == average_.end()) {
        average_.emplace(p.key(), value.cpu().clone());
      } else {
        it->second.lerp_(value.to(it->second.device()), 1 - decay_);
      }
    }
  }

  void write(std::ostream& out) const {
    torch::serialize::OutputArchive archive;
    for (const auto& [name, tensor] : average_) archive.write(slashed(name), tensor);
    archive.save_to(out);
  }

  static void read_into(std::istream& in, torch::nn::Module& module) {
    torch::serialize::InputArchive archive;
    archive.load_from(in);
    torch::NoGradGuard guard;
    for (auto& p : module.named_parameters()) {
      torch::Tensor stored;
      archive.read(slashed(p.key()), stored);
      p.value().copy_(stored);
    }
  }

 private:
  // Attribute names of an archive cannot have dots.
  static std::string slashed(std::string name) {
    for (char& c : name) c = c == '.' ? '/' : c;
    return name;
  }

  double decay_;
  std::map<std::string, torch::Tensor> average_;
};

torch::nn::Sequential make_net() {
  return torch::nn::Sequential(torch::nn::Linear(4, 8), torch::nn::Tanh(), torch::nn::Linear(8, 1));
}

int main() {
  auto student = make_net();
  WeightAverage average(0.9);
  average.track(*student);

  const torch::Device device("cuda:1");
  student->to(device);
  torch::optim::RMSprop optimizer(student->parameters(), 0.01);
  for (int i = 0; i < 6; ++i) {
    auto x = torch::randn({8, 4}, device);
    auto loss = (student->forward(x) - x.sum(1, true)).abs().mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    average.track(*student);
  }

  std::stringstream file;
  average.write(file);
  auto teacher = make_net();
  teacher->to(torch::Device("cuda:0"));
  WeightAverage::read_into(file, *teacher);

  torch::NoGradGuard guard;
  auto x = torch::randn({2, 4});
  auto difference = teacher->forward(x.to("cuda:0")).cpu() - student->forward(x.to(device)).cpu();
  std::cout << "teacher - student: " << difference.abs().mean().item<float>() << "\n";
}
