#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

// Times the forward pass of a few networks on every GPU of the machine.

namespace {

struct Case {
    std::string name;
    torch::nn::Sequential net;
    std::vector<int64_t> shape;
};

struct Row {
    std::string name;
    std::string device;
    double ms;
};

std::vector<Case> make_cases() {
    using namespace torch::nn;
    std::vector<Case> cases;
    cases.push_back({"mlp", Sequential(Linear(16, 32), ReLU(), Linear(32, 8)), {4, 16}});
    cases.push_back({"conv", Sequential(Conv2d(Conv2dOptions(1, 2, 3)), ReLU(), Flatten()), {4, 1, 6, 6}});
    cases.push_back({"norm", Sequential(Linear(8, 8), LayerNorm(LayerNormOptions({8}))), {4, 8}});
    return cases;
}

double time_forward(torch::nn::Sequential& net, const torch::Tensor& input, int repeats) {
    torch::NoGradGuard no_grad;
    net->forward(input);  // warm-up // expect: device-mismatch
    double best = 1e9;
    for (int i = 0; i < repeats; ++i) {
        auto start = std::chrono::steady_clock::now();
        auto sum = net->forward(input).sum().item<float>(); // expect: device-mismatch
        (void)sum;
        std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count());
    }
    return best;
}

}  // namespace

int main() {
    torch::manual_seed(0);
    auto cases = make_cases();
    const torch::Device main_device(torch::kCUDA, 0);

    // Copies to the device are not to be timed.
    std::vector<torch::Tensor> inputs;
    for (const auto& c : cases) {
        inputs.push_back(torch::randn(c.shape, main_device));
    }

    std::vector<Row> rows;
    for (int d = 0; d < static_cast<int>(torch::cuda::device_count()); ++d) {
        torch::Device device(torch::kCUDA, d);
        for (size_t i = 0; i < cases.size(); ++i) {
            cases[i].net->to(device);
            cases[i].net->eval();
            rows.push_back({cases[i].name, device.str(), time_forward(cases[i].net, inputs[i], 3)});
        }
    }

    for (const auto& row : rows) {
        std::cout << std::setw(6) << row.name << " " << row.device << (row.ms < 1000 ? " ok" : " slow") << "\n";
    }
}
