#include <torch/torch.h>

#include <iostream>
#include <vector>

// Points in the plane, classified by quadrant.
struct Quadrants : torch::data::datasets::Dataset<Quadrants> {
    explicit Quadrants(size_t count)
        : points_(torch::rand({static_cast<int64_t>(count), 2}) * 2 - 1) {}

    torch::data::Example<> get(size_t index) override {
        auto point = points_[index];
        auto quadrant = point[0].gt(0).to(torch::kLong) + point[1].gt(0).to(torch::kLong) * 2;
        return {point, quadrant};
    }

    torch::optional<size_t> size() const override { return points_.size(0); }

private:
    torch::Tensor points_;
};

using Batch = std::vector<torch::data::Example<>>;

struct Moved {
    torch::Tensor inputs, labels;
};

Moved to_device(Batch& batch, torch::Device device) {
    std::vector<torch::Tensor> inputs, labels;
    for (auto& example : batch) {
        inputs.push_back(example.data.to(device));
        example.target.to(device); // expect: discarded-transfer
        labels.push_back(example.target);
    }
    return {torch::stack(inputs), torch::stack(labels)};
}

double evaluate(torch::nn::Sequential& net, Quadrants& dataset, torch::Device device) {
    torch::NoGradGuard no_grad;
    int64_t right = 0;
    for (size_t i = 0; i < *dataset.size(); ++i) {
        auto example = dataset.get(i);
        auto guess = net->forward(example.data.unsqueeze(0).to(device)).argmax(1);
        right += guess.item<int64_t>() == example.target.item<int64_t>();
    }
    return static_cast<double>(right) / *dataset.size();
}

int main() {
    torch::manual_seed(9);
    const torch::Device device(torch::kCUDA, 0);
    Quadrants train(40), test(16);

    torch::nn::Sequential net(torch::nn::Linear(2, 16), torch::nn::Tanh(), torch::nn::Linear(16, 4));
    net->to(device);
    torch::optim::Adam optimizer(net->parameters(), 0.02);

    auto loader = torch::data::make_data_loader(
        train, torch::data::DataLoaderOptions().batch_size(12).workers(0));

    std::cout << "before: " << evaluate(net, test, device) << "\n";
    for (int epoch = 0; epoch < 5; ++epoch) {
        double total = 0;
        for (auto& batch : *loader) {
            auto moved = to_device(batch, device);
            optimizer.zero_grad();
            auto scores = torch::log_softmax(net->forward(moved.inputs), 1);
            auto loss = torch::nll_loss(scores, moved.labels); // expect: device-mismatch
            loss.backward();
            optimizer.step();
            total += loss.item<double>() * moved.inputs.size(0);
        }
        std::cout << "epoch " << epoch << " loss " << total / *train.size() << "\n";
    }
    std::cout << "after: " << evaluate(net, test, device) << "\n";
}
