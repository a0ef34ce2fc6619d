#include <torch/torch.h>

#include <iostream>
#include <vector>

#include <torch/nn/parallel/data_parallel.h>

// Evaluation over replicas made with libtorch's own helpers; metrics are merged on the host.

struct ScorerImpl : torch::nn::Cloneable<ScorerImpl> {
    ScorerImpl() { reset(); }
    void reset() override {
        fc1 = register_module("fc1", torch::nn::Linear(4, 8));
        fc2 = register_module("fc2", torch::nn::Linear(8, 2));
    }
    torch::Tensor forward(torch::Tensor x) { return fc2(torch::relu(fc1(x))); }
    torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Scorer);

struct Metrics {
    int64_t count = 0;
    double loss = 0;
    torch::Tensor confusion = torch::zeros({2, 2}, torch::kLong);

    void merge(const Metrics& other) {
        count += other.count;
        loss += other.loss;
        confusion += other.confusion;
    }
};

Metrics measure(const torch::Tensor& logits, const torch::Tensor& labels) {
    Metrics m;
    auto here = labels.to(logits.device());
    m.count = here.size(0);
    m.loss = torch::nn::functional::cross_entropy(logits, here).item<double>() * m.count;
    m.confusion = torch::bincount(here * 2 + logits.argmax(1), {}, 4).view({2, 2}).cpu();
    return m;
}

int main() {
    torch::manual_seed(31);
    std::vector<torch::Device> devices = {torch::Device("cuda:0"), torch::Device("cuda:1")};

    Scorer scorer;
    scorer->to(devices[0]);
    auto x = torch::randn({21, 4});
    auto y = x.sum(1).gt(0).to(torch::kLong);

    torch::optim::Adam optimizer(scorer->parameters(), 0.05);
    auto train_x = x.to(devices[0]), train_y = y.to(devices[0]);
    for (int i = 0; i < 10; ++i) {
        optimizer.zero_grad();
        torch::nn::functional::cross_entropy(scorer(train_x), train_y).backward();
        optimizer.step();
    }

    torch::NoGradGuard guard;
    auto replicas = torch::nn::parallel::replicate(scorer, devices);
    auto label_parts = y.chunk(devices.size());
    std::vector<torch::Tensor> inputs;
    for (auto& part : x.chunk(devices.size())) inputs.push_back(part.to(devices[inputs.size()]));

    auto outputs = torch::nn::parallel::parallel_apply(replicas, inputs, devices);
    Metrics total;
    for (size_t i = 0; i < outputs.size(); ++i) total.merge(measure(outputs[i], label_parts[i]));

    std::cout << "loss " << total.loss / total.count << " of " << total.count << "\n"
              << total.confusion << "\n";

    // The mistakes, listed with a mask kept on the host.
    auto gathered = torch::cat({outputs[0], outputs[1].to(devices[0])});
    auto mistaken = gathered.argmax(1).cpu().ne(y);
    std::cout << gathered.index({mistaken}).size(0) << " mistakes\n";
}
