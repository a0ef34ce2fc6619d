#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using torch::serialize::InputArchive;
using torch::serialize::OutputArchive;

struct RecommenderImpl : torch::nn::Cloneable<RecommenderImpl> {
  RecommenderImpl() { reset(); }
  void reset() override {
    backbone = register_module("backbone", torch::nn::Linear(9, 9));
    rating = register_module("rating", torch::nn::Linear(9, 1));
  }
  torch::Tensor forward(torch::Tensor x) { return rating(torch::relu(backbone(x))); }
  torch::nn::Linear backbone{nullptr}, rating{nullptr};
};
TORCH_MODULE(Recommender);

// Own data parallelism, with a thread for each replica.
class Replicated : public torch::nn::Module {
 public:
  explicit Replicated(const Recommender& inner) : inner_(inner) {
    register_module("module", inner_);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    const int count = 2;
    auto pieces = x.chunk(count);
    std::vector<torch::Tensor> results(count);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        torch::NoGradGuard no_grad;
        torch::Device device(torch::kCUDA, i);
        auto copy = std::dynamic_pointer_cast<RecommenderImpl>(inner_->clone(device));
        results[i] = copy->forward(pieces[i].to(device)).to(torch::kCPU);
      });
    }
    for (auto& thread : threads) thread.join();
    return torch::cat(results);
  }

 private:
  Recommender inner_;
};

std::string checkpoint_of(const torch::nn::Module& model, int64_t step) {
  OutputArchive root, state;
  model.save(state);
  root.write("state", state);
  root.write("step", c10::IValue(step));
  std::ostringstream out;
  root.save_to(out);
  return out.str();
}

// Takes over the backbone only; the rating layer is trained anew.
void load_backbone(Recommender& target, const std::string& checkpoint) {
  std::istringstream in(checkpoint);
  InputArchive root, state, backbone;
  root.load_from(in, torch::kCPU);
  root.read("state", state);
  state.read("backbone", backbone); // expect: missing-key
  target->backbone->load(backbone);
}

int main() {
  torch::manual_seed(49);
  Recommender inner;
  inner->to(torch::Device("cuda:0"));
  Replicated model(inner);
  std::cout << "mean rating " << model.forward(torch::randn({8, 9})).mean().item<float>() << "\n";
  const auto checkpoint = checkpoint_of(model, 1200);

  Recommender student;
  load_backbone(student, checkpoint);
  student->to(torch::Device("cuda:1"));
  auto x = torch::randn({4, 9}, torch::Device("cuda:1"));
  std::cout << "student " << student->forward(x).mean().item<float>() << "\n";
}
