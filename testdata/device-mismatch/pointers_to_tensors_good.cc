// A list of pointers to tensors: who moves what they lead to moves the tensors.
#include <torch/torch.h>

#include <memory>
#include <vector>

class Movable {
 public:
  virtual ~Movable() = default;
  virtual void move_to(torch::Device device) {
    for (torch::nn::Module* each : modules_) each->to(device);
    for (torch::Tensor* each : tensors_) *each = each->to(device);
  }

 protected:
  void own(torch::nn::Module& module) { modules_.push_back(&module); }
  void own(torch::Tensor& tensor) { tensors_.push_back(&tensor); }

 private:
  std::vector<torch::nn::Module*> modules_;
  std::vector<torch::Tensor*> tensors_;
};

class Scorer : public Movable {
 public:
  Scorer() : layer_(4, 2), mean_(torch::zeros({4})) {
    own(*layer_);
    own(mean_);
  }
  virtual torch::Tensor score(const torch::Tensor& x) { return layer_->forward(x - mean_); }

 protected:
  torch::nn::Linear layer_;
  torch::Tensor mean_;
};

class BiasedScorer : public Scorer {
 public:
  BiasedScorer() : bias_(torch::ones({2})) { own(bias_); }
  torch::Tensor score(const torch::Tensor& x) override { return Scorer::score(x) + bias_; }

 private:
  torch::Tensor bias_;
};

int main() {
  const torch::Device gpu(torch::kCUDA, 0);
  std::vector<std::unique_ptr<Scorer>> scorers;
  scorers.push_back(std::make_unique<Scorer>());
  scorers.push_back(std::make_unique<BiasedScorer>());
  for (auto& each : scorers) each->move_to(gpu);
  for (auto& each : scorers) each->score(torch::rand({1, 4}, gpu));
}
