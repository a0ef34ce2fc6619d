#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using StateDict = c10::Dict<std::string, torch::Tensor>;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
    NetImpl() { reset(); }
    void reset() override {
        conv = register_module("conv", torch::nn::Conv1d(torch::nn::Conv1dOptions(2, 4, 3).padding(1)));
        norm = register_module("norm", torch::nn::BatchNorm1d(4));
        fc = register_module("fc", torch::nn::Linear(4 * 6, 3));
    }
    torch::Tensor forward(torch::Tensor x) {
        return fc(torch::relu(norm(conv(x))).flatten(1));
    }
    torch::nn::Conv1d conv{nullptr};
    torch::nn::BatchNorm1d norm{nullptr};
    torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

StateDict state_dict(const torch::nn::Module& module) {
    StateDict state;
    for (const auto& item : module.named_parameters()) state.insert(item.key(), item.value().detach().cpu());
    for (const auto& item : module.named_buffers()) state.insert(item.key(), item.value().cpu());
    return state;
}

std::string without_prefix(const std::string& key, const std::string& prefix = "module.") {
    return key.compare(0, prefix.size(), prefix) == 0 ? key.substr(prefix.size()) : key;
}

void load_state_dict(torch::nn::Module& module, const StateDict& saved) {
    StateDict state;
    for (const auto& entry : saved) state.insert(without_prefix(entry.key()), entry.value());
    torch::NoGradGuard guard;
    auto load = [&](const std::string& key, torch::Tensor& target) {
        TORCH_CHECK(state.contains(key), "missing key in state dict: ", key);
        target.copy_(state.at(key));
    };
    for (auto& item : module.named_parameters()) load(item.key(), item.value());
    for (auto& item : module.named_buffers()) load(item.key(), item.value());
}

int main() {
    torch::manual_seed(19);
    Net net;
    DataParallel parallel(net, {0, 1});
    parallel.to(torch::Device(torch::kCUDA, 0));
    torch::optim::SGD optimizer(parallel.parameters(), 0.05);

    auto data = torch::randn({8, 2, 6});
    auto labels = torch::randint(3, {8}, torch::kLong);
    for (int i = 0; i < 3; ++i) {
        auto output = parallel.forward(data);
        auto loss = torch::nn::functional::cross_entropy(output, labels.to(output.device()));
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        std::cout << "loss " << loss.item<float>() << "\n";
    }

    // The checkpoint is written as bytes, as it would be to a file.
    std::vector<char> bytes = torch::pickle_save(state_dict(parallel));
    auto restored = torch::pickle_load(bytes).toGenericDict();
    StateDict saved;
    for (const auto& entry : restored) saved.insert(entry.key().toStringRef(), entry.value().toTensor());
    std::cout << saved.size() << " entries\n";

    Net plain;
    load_state_dict(*plain, saved);
    plain->to(torch::Device(torch::kCUDA, 1));
    plain->eval();
    net->eval();
    torch::NoGradGuard guard;
    auto here = net(data.to(torch::Device(torch::kCUDA, 0))).cpu();
    auto there = plain(data.to(torch::Device(torch::kCUDA, 1))).cpu();
    std::cout << "same: " << torch::allclose(here, there, 1e-4, 1e-5) << "\n";
}
