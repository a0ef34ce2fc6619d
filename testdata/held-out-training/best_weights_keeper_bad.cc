#include <torch/torch.h>

#include <iostream>

#include "runtime/torch/data_parallel.h"

using Dict = torch::OrderedDict<std::string, torch::Tensor>;

class TextNetImpl : public torch::nn::Cloneable<TextNetImpl> {
public:
    TextNetImpl(int64_t vocab, int64_t dim, int64_t classes) : vocab_(vocab), dim_(dim), classes_(classes) {
        reset();
    }
    void reset() override {
        bag_ = register_module("bag", torch::nn::Embedding(vocab_, dim_));
        fc_ = register_module("fc", torch::nn::Linear(dim_, classes_));
    }
    torch::Tensor forward(torch::Tensor tokens) { return fc_(bag_(tokens).mean(1)); }

private:
    int64_t vocab_, dim_, classes_;
    torch::nn::Embedding bag_{nullptr};
    torch::nn::Linear fc_{nullptr};
};
TORCH_MODULE(TextNet);

// A copy of the best weights so far, to go back to when the loss does not fall any more.
class BestWeights {
public:
    bool offer(double loss, const torch::nn::Module& module) {
        if (loss >= loss_) return false;
        loss_ = loss;
        weights_ = Dict();
        for (const auto& item : module.named_parameters()) {
            weights_.insert(item.key(), item.value().detach().clone());
        }
        return true;
    }

    void restore(torch::nn::Module& module) const {
        torch::NoGradGuard guard;
        for (auto& item : module.named_parameters()) {
            item.value().copy_(weights_[item.key()]); // expect: state-dict-prefix
        }
    }

    double loss() const { return loss_; }

private:
    double loss_ = 1e30;
    Dict weights_;
};

int main() {
    torch::manual_seed(35);
    const torch::Device device("cuda:0");
    TextNet net(30, 8, 3);
    net->to(device);
    placecheck::parallel::DataParallel parallel(net, {0, 1});
    torch::optim::Adam optimizer(parallel.parameters(), 2e-2);
    BestWeights best;

    auto tokens = torch::randint(30, {18, 5}, torch::kLong);
    auto labels = tokens.sum(1).remainder(3).to(device);
    for (int epoch = 0; epoch < 5; ++epoch) {
        auto loss = torch::nn::functional::cross_entropy(parallel.forward(tokens), labels);
        if (best.offer(loss.item<double>(), parallel)) std::cout << "best so far: " << best.loss() << "\n";
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }

    net->eval();
    best.restore(*net);
    torch::NoGradGuard guard;
    auto predictions = net(tokens.to(device)).argmax(1);
    std::cout << predictions.eq(labels).sum().item<int64_t>() << " of 18 right\n";
}
