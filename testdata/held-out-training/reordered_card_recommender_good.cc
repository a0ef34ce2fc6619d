#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// The second card of the machine is the fast one: it is made the first of this process, and the
// other one takes the embedding table.
std::string join(const std::vector<int>& ids) {
  std::ostringstream out;
  for (size_t i = 0; i < ids.size(); ++i) out << (i ? "," : "") << ids[i];
  return out.str();
}

struct Recommender : torch::nn::Module {
  Recommender(int64_t users, int64_t items, int64_t dim, torch::Device tables, torch::Device tower)
      : tables_(tables), tower_(tower) {
    user = register_module("user", torch::nn::Embedding(users, dim));
    item = register_module("item", torch::nn::Embedding(items, dim));
    mlp = register_module("mlp", torch::nn::Sequential(torch::nn::Linear(2 * dim, 8),
                                                       torch::nn::ReLU(), torch::nn::Linear(8, 1)));
    user->to(tables_);
    item->to(tables_);
    mlp->to(tower_);
  }

  torch::Tensor forward(const torch::Tensor& users, const torch::Tensor& items) {
    auto joined = torch::cat({user(users.to(tables_)), item(items.to(tables_))}, 1);
    return mlp->forward(joined.to(tower_)).squeeze(1);
  }

  torch::Device tables_, tower_;
  torch::nn::Embedding user{nullptr}, item{nullptr};
  torch::nn::Sequential mlp{nullptr};
};

int main() {
  const std::vector<int> order{1, 0};
  setenv("CUDA_VISIBLE_DEVICES", join(order).c_str(), 1);
  if (torch::cuda::device_count() != order.size()) {
    std::cerr << "needs two GPUs\n";
    return 2;
  }
  torch::manual_seed(5);
  torch::Device fast(torch::kCUDA, 0), slow(torch::kCUDA, 1);

  auto model = std::make_shared<Recommender>(10, 20, 4, slow, fast);
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(model->mlp->parameters(),
                      std::make_unique<torch::optim::AdagradOptions>(0.05));
  std::vector<torch::Tensor> tables = model->user->parameters();
  for (auto& p : model->item->parameters()) tables.push_back(p);
  groups.emplace_back(tables, std::make_unique<torch::optim::AdagradOptions>(0.2));
  torch::optim::Adagrad optimizer(groups, torch::optim::AdagradOptions(0.05));

  for (int step = 0; step < 4; ++step) {
    auto users = torch::randint(0, 10, {16}, torch::kLong);
    auto items = torch::randint(0, 20, {16}, torch::kLong);
    auto rating = (users % 5 - items % 5).abs().to(torch::kFloat);
    auto loss = torch::mse_loss(model->forward(users, items), rating.to(fast));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }
}
