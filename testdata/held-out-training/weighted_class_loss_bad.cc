#include <torch/torch.h>

#include <algorithm>
#include <iostream>

namespace F = torch::nn::functional;

// Unbalanced classes: the loss is weighted by the inverse frequency of each.

struct Data {
    torch::Tensor x;
    torch::Tensor y;
    int64_t classes;
};

Data load(int64_t rows) {
    Data data;
    data.classes = 4;
    data.x = torch::randn({rows, 6});
    auto score = data.x.select(1, 0);
    data.y = score.gt(-0.5).to(torch::kLong) + score.gt(1.0).to(torch::kLong) + score.gt(1.5).to(torch::kLong);
    return data;
}

torch::Tensor inverse_frequency(const torch::Tensor& labels, int64_t classes) {
    auto counts = torch::bincount(labels, {}, classes).to(torch::kFloat).clamp_min(1);
    auto weight = counts.sum() / counts;
    return weight / weight.sum() * classes;
}

class Experiment {
public:
    Experiment(Data data, torch::Device device)
        : device_(device),
          classes_(data.classes),
          weight_(inverse_frequency(data.y, data.classes)),
          x_(data.x.to(device)),
          y_(data.y.to(device)) {
        net_ = torch::nn::Sequential(torch::nn::Linear(6, 12), torch::nn::ReLU(), torch::nn::Linear(12, classes_));
        net_->to(device_);
    }

    void run(int epochs) {
        torch::optim::Adam optimizer(net_->parameters(), 1e-2);
        for (int epoch = 0; epoch < epochs; ++epoch) {
            auto logits = net_->forward(x_);
            auto loss = F::cross_entropy(logits, y_, F::CrossEntropyFuncOptions().weight(weight_)); // expect: device-mismatch
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
            std::cout << "epoch " << epoch << " loss " << loss.item<float>() << " recall " << recall(logits) << "\n";
        }
    }

private:
    double recall(const torch::Tensor& logits) const {
        torch::NoGradGuard guard;
        auto guess = logits.argmax(1);
        double sum = 0;
        for (int64_t c = 0; c < classes_; ++c) {
            auto of_class = y_.eq(c);
            auto hit = guess.eq(c).logical_and(of_class).sum().item<double>();
            sum += hit / std::max(1.0, of_class.sum().item<double>());
        }
        return sum / classes_;
    }

    torch::Device device_;
    int64_t classes_;
    torch::Tensor weight_;
    torch::Tensor x_, y_;
    torch::nn::Sequential net_{nullptr};
};

int main() {
    torch::manual_seed(24);
    Experiment experiment(load(60), torch::Device(torch::kCUDA, 1));
    experiment.run(4);
    return 0;
}
