#include <torch/torch.h>

#include <iostream>

// Mean teacher: the student is trained on cuda:0, its moving average is kept on cuda:1.

namespace F = torch::nn::functional;

torch::nn::Sequential make_net() {
    return torch::nn::Sequential(torch::nn::Linear(10, 16), torch::nn::BatchNorm1d(16),
                                 torch::nn::ReLU(), torch::nn::Linear(16, 3));
}

class MeanTeacher {
public:
    MeanTeacher(torch::nn::Sequential& student, torch::Device device, double decay)
        : teacher_(make_net()), device_(device), decay_(decay) {
        teacher_->to(device_);
        for (auto& p : teacher_->parameters()) p.set_requires_grad(false);
        copy_all(student);
        teacher_->eval();
    }

    void update(torch::nn::Sequential& student) {
        torch::NoGradGuard guard;
        auto fresh = student->parameters();
        auto kept = teacher_->parameters();
        for (size_t i = 0; i < kept.size(); ++i) {
            auto value = fresh[i].detach().to(kept[i].device());
            kept[i].mul_(decay_).add_(value, 1 - decay_);
        }
        auto fresh_buffers = student->buffers();
        auto kept_buffers = teacher_->buffers();
        for (size_t i = 0; i < kept_buffers.size(); ++i) kept_buffers[i].copy_(fresh_buffers[i]);
    }

    torch::Tensor operator()(const torch::Tensor& x) {
        torch::NoGradGuard guard;
        return teacher_->forward(x.to(device_)).to(x.device());
    }

private:
    void copy_all(torch::nn::Sequential& student) {
        torch::NoGradGuard guard;
        auto source = student->named_parameters();
        for (auto& item : teacher_->named_parameters()) item.value().copy_(source[item.key()]);
    }

    torch::nn::Sequential teacher_;
    torch::Device device_;
    double decay_;
};

int main() {
    torch::manual_seed(8);
    const torch::Device device("cuda:0");
    auto student = make_net();
    student->to(device);
    MeanTeacher teacher(student, torch::Device("cuda:1"), 0.9);
    torch::optim::SGD optimizer(student->parameters(), torch::optim::SGDOptions(0.1));

    for (int step = 0; step < 6; ++step) {
        auto x = torch::randn({14, 10}, device);
        auto y = x.slice(1, 0, 3).argmax(1);
        // Labels are there for the first half only.
        auto logits = student->forward(x);
        auto supervised = F::cross_entropy(logits.slice(0, 0, 7), y.slice(0, 0, 7));
        auto noisy = x + 0.05 * torch::randn_like(x);
        auto consistency = torch::mse_loss(logits.softmax(1), teacher(noisy).softmax(1));
        auto loss = supervised + 0.5 * consistency;
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        teacher.update(student);
        std::cout << step << ": " << supervised.item<float>() << " + " << consistency.item<float>() << "\n";
    }
}
