#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

// Fits several curves with L-BFGS, a thread and a queue of curves for each GPU.

struct Curve {
    std::string name;
    std::function<torch::Tensor(const torch::Tensor&)> f;
};

struct Fit {
    torch::Device device;
    double loss;
    torch::Tensor coefficients;
};

Fit fit_polynomial(const Curve& curve, const torch::Tensor& grid, int64_t degree, torch::Device device) {
    auto x = grid.to(device);
    auto y = curve.f(x);
    auto powers = torch::arange(degree + 1, x.options());
    auto features = x.unsqueeze(1).pow(powers.unsqueeze(0));
    auto coefficients = torch::zeros({degree + 1}, torch::TensorOptions().device(device).requires_grad(true));
    std::vector<torch::Tensor> parameters{coefficients};
    torch::optim::LBFGS optimizer(parameters, torch::optim::LBFGSOptions(1).max_iter(10).line_search_fn("strong_wolfe"));

    auto closure = [&] {
        optimizer.zero_grad();
        auto loss = torch::mse_loss(features.mv(coefficients), y);
        loss.backward();
        return loss;
    };
    torch::Tensor loss;
    for (int i = 0; i < 3; ++i) loss = optimizer.step(closure);
    return {device, loss.item<double>(), coefficients.detach().cpu()};
}

int main() {
    torch::manual_seed(48);
    const auto grid = torch::linspace(-1, 1, 25);
    const std::vector<Curve> curves = {
        {"sine", [](const torch::Tensor& x) { return torch::sin(3 * x); }},
        {"bump", [](const torch::Tensor& x) { return torch::exp(-4 * x * x); }},
        {"abs", [](const torch::Tensor& x) { return x.abs(); }},
        {"step", [](const torch::Tensor& x) { return torch::where(x > 0, torch::ones_like(x), torch::zeros_like(x)); }},
    };

    const int world = 2;
    std::mutex mutex;
    std::map<std::string, Fit> fits;
    std::vector<std::thread> threads;
    for (int rank = 0; rank < world; ++rank) {
        threads.emplace_back([&, rank] {
            const torch::Device device(torch::kCUDA, rank);
            for (size_t i = rank; i < curves.size(); i += world) {
                auto fit = fit_polynomial(curves[i], grid, 5, device);
                std::lock_guard<std::mutex> lock(mutex);
                fits.emplace(curves[i].name, std::move(fit));
            }
        });
    }
    for (auto& thread : threads) thread.join();

    auto sum = torch::zeros({6});
    double loss = 0;
    for (const auto& [name, fit] : fits) {
        std::cout << name << " on " << fit.device << " loss " << fit.loss << "\n";
        sum += fit.coefficients;
        loss += fit.loss;
    }
    std::cout << "mean loss " << loss / fits.size() << ", coefficients\n" << sum / static_cast<double>(fits.size()) << "\n";
}
