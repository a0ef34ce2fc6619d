// Layers in a vector are not children of the module.
#include <torch/torch.h>

#include <vector>

struct MlpImpl : torch::nn::Module {
  explicit MlpImpl(const std::vector<int64_t>& sizes) {
    for (size_t i = 0; i + 1 < sizes.size(); ++i) {
      layers.push_back(torch::nn::Linear(sizes[i], sizes[i + 1]));
    }
  }
  torch::Tensor forward(torch::Tensor x) {
    for (auto& layer : layers) x = torch::relu(layer->forward(x));
    return x;
  }
  std::vector<torch::nn::Linear> layers;  // expect: unregistered-state
};
TORCH_MODULE(Mlp);

int main() {
  Mlp mlp(std::vector<int64_t>{4, 8, 2});
  mlp->to(torch::kCUDA);
  auto y = mlp->forward(torch::rand({2, 4}, torch::kCUDA));
}
