#include <torch/torch.h>

#include <cstdlib>
#include <deque>
#include <iostream>
#include <random>
#include <vector>

// Q-learning of a walk on a line of states: left or right, reward at the right end. The replay
// buffer is kept in host memory; the two networks are on different GPUs.

struct Transition {
    torch::Tensor state, action, reward, next_state, done;
};

class ReplayBuffer {
public:
    explicit ReplayBuffer(size_t capacity) : capacity_(capacity) {}

    void push(Transition t) {
        if (memory_.size() == capacity_) memory_.pop_front();
        memory_.push_back(std::move(t));
    }

    Transition sample(size_t count, torch::Device device) {
        std::vector<torch::Tensor> s, a, r, n, d;
        std::uniform_int_distribution<size_t> pick(0, memory_.size() - 1);
        for (size_t i = 0; i < count; ++i) {
            const auto& t = memory_[pick(random_)];
            s.push_back(t.state);
            a.push_back(t.action);
            r.push_back(t.reward);
            n.push_back(t.next_state);
            d.push_back(t.done);
        }
        return {torch::stack(s).to(device), torch::stack(a).to(device), torch::stack(r).to(device),
                torch::stack(n).to(device), torch::stack(d).to(device)};
    }

    size_t size() const { return memory_.size(); }

private:
    size_t capacity_;
    std::deque<Transition> memory_;
    std::mt19937 random_{17};
};

torch::nn::Sequential make_q(int64_t states) {
    return torch::nn::Sequential(torch::nn::Linear(states, 16), torch::nn::ReLU(), torch::nn::Linear(16, 2));
}

torch::Tensor one_hot(int64_t position, int64_t states) {
    return torch::eye(states)[position];
}

int main() {
    torch::manual_seed(10);
    std::srand(10);
    const int64_t states = 6;
    const torch::Device online_device("cuda:0"), target_device("cuda:1");
    auto online = make_q(states), target = make_q(states);
    online->to(online_device);
    target->to(target_device);
    torch::optim::Adam optimizer(online->parameters(), 1e-2);
    ReplayBuffer buffer(200);

    int64_t position = 0;
    for (int step = 0; step < 60; ++step) {
        auto state = one_hot(position, states);
        int64_t action;
        {
            torch::NoGradGuard guard;
            auto q = online->forward(state.to(online_device));
            action = std::rand() % 3 == 0 ? std::rand() % 2 : q.argmax(0).item<int64_t>();
        }
        int64_t next = std::max<int64_t>(0, position + (action == 1 ? 1 : -1));
        const bool done = next == states - 1;
        buffer.push({state, torch::tensor(action), torch::tensor(done ? 1.0f : 0.0f),
                     one_hot(next, states), torch::tensor(done ? 1.0f : 0.0f)});
        position = done ? 0 : next;
        if (buffer.size() < 16) continue;

        auto batch = buffer.sample(16, online_device);
        torch::Tensor expected;
        {
            torch::NoGradGuard guard;
            auto best = std::get<0>(target->forward(batch.next_state.to(target_device)).max(1));
            expected = batch.reward + 0.9 * (1 - batch.done) * best.to(online_device);
        }
        auto chosen = online->forward(batch.state).gather(1, batch.action.unsqueeze(1)).squeeze(1);
        auto loss = torch::smooth_l1_loss(chosen, expected);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        if (step % 20 == 0) {
            torch::NoGradGuard guard;
            auto from = online->parameters(), to = target->parameters();
            for (size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i]);
            std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
        }
    }
}
