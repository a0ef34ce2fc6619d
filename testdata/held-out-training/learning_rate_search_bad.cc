#include <torch/torch.h>

#include <future>
#include <iostream>
#include <map>
#include <vector>

// Searches over learning rates, a worker for each GPU.

struct Result {
    double lr = 0;
    double loss = 0;
};

struct Problem {
    torch::Tensor x, y;
};

Problem make_problem(int64_t rows) {
    Problem p;
    p.x = torch::randn({rows, 4});
    p.y = (p.x * torch::tensor({1.0f, -2.0f, 0.5f, 3.0f})).sum(1, /*keepdim=*/true);
    return p;
}

Result train(const Problem& problem, double lr, torch::Device device) {
    torch::nn::Linear net(4, 1);
    net->to(device);
    torch::optim::SGD optimizer(net->parameters(), lr);
    auto x = problem.x.to(torch::kCUDA);
    auto y = problem.y.to(torch::kCUDA);
    double last = 0;
    for (int i = 0; i < 20; ++i) {
        optimizer.zero_grad();
        auto loss = torch::mse_loss(net(x), y); // expect: device-mismatch
        loss.backward();
        optimizer.step();
        last = loss.item<double>();
    }
    return {lr, last};
}

std::vector<Result> worker(int rank, int world, const std::vector<double>& rates,
                           const Problem& problem) {
    torch::Device device(torch::kCUDA, rank);
    std::vector<Result> results;
    for (size_t i = rank; i < rates.size(); i += world) {
        results.push_back(train(problem, rates[i], device));
    }
    return results;
}

int main() {
    torch::manual_seed(13);
    const std::vector<double> rates = {0.3, 0.1, 0.03, 0.01, 0.003};
    const auto problem = make_problem(32);
    const int world = 2;

    std::vector<std::future<std::vector<Result>>> futures;
    for (int rank = 0; rank < world; ++rank) {
        futures.push_back(std::async(std::launch::async, worker, rank, world, std::cref(rates),
                                     std::cref(problem)));
    }

    std::map<double, double> loss_of_rate;
    for (auto& future : futures) {
        for (const auto& result : future.get()) loss_of_rate[result.lr] = result.loss;
    }
    for (const auto& [lr, loss] : loss_of_rate) std::cout << "lr " << lr << " loss " << loss << "\n";
}
