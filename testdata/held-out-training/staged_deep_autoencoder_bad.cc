#include <torch/torch.h>

#include <iostream>
#include <vector>

// A deep autoencoder cut into stages, which are dealt out to the GPUs in turn.

using Stage = torch::nn::Sequential;

struct StagedAutoencoder {
    std::vector<Stage> stages;
    std::vector<torch::Device> placement;

    StagedAutoencoder(const std::vector<int64_t>& widths, const std::vector<torch::Device>& devices) {
        const size_t count = widths.size() - 1;
        for (size_t i = 0; i < count; ++i) {
            Stage stage;
            stage->push_back(torch::nn::Linear(widths[i], widths[i + 1]));
            if (i + 1 < count) stage->push_back(torch::nn::LeakyReLU());
            // The first stages to the first device, and so on.
            const auto device = devices[i * devices.size() / count];
            stage->to(device);
            stages.push_back(stage);
            placement.push_back(device);
        }
    }

    torch::Tensor forward(torch::Tensor x) {
        x = x.to(placement.front());
        for (auto& stage : stages) {
            x = stage->forward(x); // expect: device-mismatch
        }
        return x;
    }

    std::vector<torch::Tensor> parameters() const {
        std::vector<torch::Tensor> result;
        for (const auto& stage : stages) {
            const auto own = stage->parameters();
            result.insert(result.end(), own.begin(), own.end());
        }
        return result;
    }
};

int main() {
    torch::manual_seed(45);
    const std::vector<torch::Device> devices = {torch::Device(torch::kCUDA, 0), torch::Device(torch::kCUDA, 1)};
    StagedAutoencoder net({8, 6, 3, 6, 8}, devices);
    for (size_t i = 0; i < net.stages.size(); ++i) {
        std::cout << "stage " << i << " on " << net.placement[i] << "\n";
    }

    torch::optim::Adam optimizer(net.parameters(), torch::optim::AdamOptions(1e-2).amsgrad(true));
    auto basis = torch::randn({3, 8});
    const int64_t accumulate = 2;

    for (int step = 0; step < 6; ++step) {
        optimizer.zero_grad();
        double total = 0;
        for (int64_t k = 0; k < accumulate; ++k) {
            auto x = torch::randn({10, 3}).mm(basis);
            auto restored = net.forward(x);
            auto loss = torch::l1_loss(restored, x.to(restored.device())) / accumulate;
            loss.backward();
            total += loss.item<double>();
        }
        optimizer.step();
        std::cout << "step " << step << " loss " << total << "\n";
    }
    return 0;
}
