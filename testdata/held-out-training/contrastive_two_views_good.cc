#include <torch/torch.h>

#include <exception>
#include <iostream>
#include <thread>
#include <vector>

// Contrastive learning of two views. Each GPU embeds its share of the batch in a thread of its own;
// the similarities are taken over the whole batch on the first GPU.

struct ProjectorImpl : torch::nn::Cloneable<ProjectorImpl> {
    ProjectorImpl() { reset(); }
    void reset() override {
        net = register_module("net", torch::nn::Sequential(torch::nn::Linear(9, 16), torch::nn::ReLU(), torch::nn::Linear(16, 6)));
    }
    torch::Tensor forward(torch::Tensor x) {
        return torch::nn::functional::normalize(net->forward(x), torch::nn::functional::NormalizeFuncOptions().dim(1));
    }
    torch::nn::Sequential net{nullptr};
};

torch::Tensor nt_xent(const torch::Tensor& a, const torch::Tensor& b, double temperature) {
    const auto n = a.size(0);
    auto z = torch::cat({a, b});
    auto similarity = z.mm(z.t()) / temperature;
    auto self = torch::eye(2 * n, similarity.options()).to(torch::kBool);
    similarity = similarity.masked_fill(self, -1e9);
    auto index = torch::arange(n, similarity.options().dtype(torch::kLong));
    auto targets = torch::cat({index + n, index});
    return torch::nn::functional::cross_entropy(similarity, targets);
}

class Workers {
public:
    Workers(std::shared_ptr<ProjectorImpl> main, std::vector<torch::Device> devices)
        : devices_(std::move(devices)) {
        replicas_.push_back(main);
        for (size_t i = 1; i < devices_.size(); ++i) {
            replicas_.push_back(std::dynamic_pointer_cast<ProjectorImpl>(main->clone(devices_[i])));
        }
    }

    // Rows of all devices, on the first.
    torch::Tensor embed(const torch::Tensor& batch) {
        auto shares = batch.chunk(devices_.size());
        std::vector<torch::Tensor> rows(shares.size());
        std::vector<std::exception_ptr> errors(shares.size());
        std::vector<std::thread> threads;
        for (size_t i = 0; i < shares.size(); ++i) {
            threads.emplace_back([this, i, &shares, &rows, &errors] {
                try {
                    rows[i] = replicas_[i]->forward(shares[i].to(devices_[i]));
                } catch (...) {
                    errors[i] = std::current_exception();
                }
            });
        }
        for (auto& t : threads) t.join();
        for (auto& e : errors) if (e) std::rethrow_exception(e);
        for (auto& r : rows) r = r.to(devices_[0]);
        return torch::cat(rows);
    }

    void step(double lr) {
        torch::NoGradGuard guard;
        auto main = replicas_[0]->parameters();
        for (size_t p = 0; p < main.size(); ++p) {
            for (auto& replica : replicas_) {
                if (replica == replicas_[0]) continue;
                main[p].mutable_grad().add_(replica->parameters()[p].grad().to(devices_[0]));
            }
            main[p].sub_(main[p].grad(), lr);
            for (auto& replica : replicas_) {
                auto parameter = replica->parameters()[p];
                if (replica != replicas_[0]) parameter.copy_(main[p]);
                parameter.mutable_grad().zero_();
            }
        }
    }

private:
    std::vector<torch::Device> devices_;
    std::vector<std::shared_ptr<ProjectorImpl>> replicas_;
};

int main() {
    torch::manual_seed(40);
    auto projector = std::make_shared<ProjectorImpl>();
    projector->to(torch::Device("cuda:0"));
    Workers workers(projector, {torch::Device("cuda:0"), torch::Device("cuda:1")});
    for (int step = 0; step < 4; ++step) {
        auto x = torch::randn({13, 9});
        auto a = workers.embed(x + 0.1 * torch::randn_like(x));
        auto b = workers.embed(x + 0.1 * torch::randn_like(x));
        auto loss = nt_xent(a, b, 0.5);
        loss.backward();
        workers.step(0.1);
        std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
    }
}
