// Loaded first and wrapped then; or into the net inside the wrapper.
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct LanguageModelImpl : torch::nn::Cloneable<LanguageModelImpl> {
  LanguageModelImpl() { reset(); }
  void reset() override {
    words = register_module("words", torch::nn::Embedding(30, 8));
    next = register_module("next", torch::nn::Linear(8, 30));
  }
  torch::Tensor forward(torch::Tensor x) { return next(words(x)); }

  torch::nn::Embedding words{nullptr};
  torch::nn::Linear next{nullptr};
};
TORCH_MODULE(LanguageModel);

std::string checkpoint_of(int epoch) { return "epoch_" + std::to_string(epoch) + ".pt"; }

void train_on_one_card(LanguageModel& model, int epochs) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    torch::Tensor text = torch::randint(30, {4, 9}, torch::kLong);
    optimizer.zero_grad();
    torch::Tensor scores = model->forward(text.slice(1, 0, 8)).flatten(0, 1);
    torch::cross_entropy_loss(scores, text.slice(1, 1, 9).flatten()).backward();
    optimizer.step();
  }
  torch::save(model, checkpoint_of(epochs));
}

std::shared_ptr<DataParallel> load_and_wrap(int epoch) {
  LanguageModel model;
  if (epoch > 0) torch::load(model, checkpoint_of(epoch));
  return std::make_shared<DataParallel>(model);
}

bool resume(DataParallel& wrapper, int epoch) {
  if (epoch == 0) return false;
  auto inner = wrapper.module();
  torch::load(inner, checkpoint_of(epoch));
  std::cout << "going on after epoch " << epoch << '\n';
  return true;
}

int main() {
  LanguageModel first;
  train_on_one_card(first, 2);

  auto wrapped = load_and_wrap(2);
  auto another = std::make_shared<DataParallel>(LanguageModel());
  if (resume(*another, 2)) another->to(torch::Device(torch::kCUDA, 0));
}
