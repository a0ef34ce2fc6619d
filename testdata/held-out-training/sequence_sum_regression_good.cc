#include <torch/torch.h>

#include <cmath>
#include <iostream>

#include "runtime/torch/data_parallel.h"

// Sequence regression with positions made inside forward; 11 examples in batches of four leave a
// last batch of three.

struct SumDataset : torch::data::datasets::Dataset<SumDataset> {
    SumDataset() : sequences(torch::rand({11, 7})) {}
    torch::data::Example<> get(size_t index) override {
        auto s = sequences[index];
        return {s, s.cumsum(0)};
    }
    torch::optional<size_t> size() const override { return sequences.size(0); }
    torch::Tensor sequences;
};

class SequenceNetImpl : public torch::nn::Cloneable<SequenceNetImpl> {
public:
    explicit SequenceNetImpl(int64_t dim) : dim_(dim) { reset(); }

    void reset() override {
        lift_ = register_module("lift", torch::nn::Linear(1, dim_));
        mix_ = register_module("mix", torch::nn::Linear(dim_, dim_));
        drop_ = register_module("drop", torch::nn::Linear(dim_, 1));
        scale_ = register_buffer("scale", torch::tensor(0.1f));
    }

    torch::Tensor forward(torch::Tensor x) {
        auto h = lift_(x.unsqueeze(-1)) + scale_ * positions(x.size(1), x.options());
        auto causal = torch::ones({x.size(1), x.size(1)}, x.options()).tril();
        causal = causal / causal.sum(1, true);
        h = torch::matmul(causal, torch::tanh(mix_(h)));
        return drop_(h).squeeze(-1);
    }

private:
    torch::Tensor positions(int64_t length, torch::TensorOptions options) const {
        auto t = torch::arange(length, options).unsqueeze(1);
        auto f = torch::exp(torch::arange(0, dim_, options) * (-std::log(100.0) / dim_));
        return torch::sin(t * f);
    }

    int64_t dim_;
    torch::nn::Linear lift_{nullptr}, mix_{nullptr}, drop_{nullptr};
    torch::Tensor scale_;
};
TORCH_MODULE(SequenceNet);

int main() {
    torch::manual_seed(15);
    SequenceNet module(8);
    placecheck::parallel::DataParallel net(module, {0, 1});
    net.to(torch::Device(torch::kCUDA, 0));
    torch::optim::RMSprop optimizer(net.parameters(), 1e-3);

    auto dataset = SumDataset().map(torch::data::transforms::Stack<>());
    auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
        std::move(dataset), torch::data::DataLoaderOptions().batch_size(4));

    for (int epoch = 0; epoch < 3; ++epoch) {
        double total = 0;
        int64_t seen = 0;
        for (auto& batch : *loader) {
            auto output = net.forward(batch.data);
            auto loss = torch::mse_loss(output, batch.target.to(output.device()));
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
            total += loss.item<double>() * batch.data.size(0);
            seen += batch.data.size(0);
        }
        std::cout << "epoch " << epoch << ": " << total / seen << " over " << seen << "\n";
    }
}
