// Every layer is put on the device that the plan has for it, from the last one to the first.
#include <torch/torch.h>

#include <cstring>
#include <memory>
#include <vector>

struct Plan {
  virtual ~Plan() = default;
  virtual torch::Device of(int layer) const = 0;
};

struct RoundRobin : Plan {
  torch::Device of(int layer) const override {
    return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(layer % 2));
  }
};

struct HostTail : Plan {
  torch::Device of(int layer) const override {
    return layer >= 3 ? torch::Device(torch::kCPU) : torch::Device(torch::kCUDA, 1);
  }
};

class Tower {
 public:
  explicit Tower(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {
    for (int i = 0; i < 5; ++i) {
      torch::nn::Linear layer(4, 4);
      layer->to(plan_->of(i));
      layers_.push_back(layer);
    }
  }

  torch::Tensor forward(torch::Tensor x) {
    int i = 0;
    for (auto& layer : layers_) x = layer->forward(x.to(plan_->of(i++)));
    return x;
  }

  void replan(std::unique_ptr<Plan> plan) {
    plan_ = std::move(plan);
    for (std::size_t i = layers_.size(); i-- > 0;)
      layers_[i]->to(plan_->of(static_cast<int>(i)));
  }

 private:
  std::unique_ptr<Plan> plan_;
  std::vector<torch::nn::Linear> layers_;
};

std::unique_ptr<Plan> choose(const char* name) {
  if (std::strcmp(name, "tail") == 0) return std::make_unique<HostTail>();
  return std::make_unique<RoundRobin>();
}

int main(int argc, char** argv) {
  Tower tower(choose("robin"));
  tower.forward(torch::ones({2, 4}));
  tower.replan(choose(argc > 1 ? argv[1] : "tail"));
  tower.forward(torch::ones({2, 4}));
}
