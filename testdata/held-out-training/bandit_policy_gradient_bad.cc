#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

// Policy gradient on a bandit with context: the best arm is the index of the largest input.

struct Policy : torch::nn::Module {
    Policy(int64_t inputs, int64_t arms) {
        actor = register_module("actor", torch::nn::Sequential(torch::nn::Linear(inputs, 16), torch::nn::Tanh(),
                                                               torch::nn::Linear(16, arms)));
        critic = register_module("critic", torch::nn::Linear(inputs, 1));
    }
    torch::nn::Sequential actor{nullptr};
    torch::nn::Linear critic{nullptr};
};

struct Episode {
    std::vector<torch::Tensor> contexts;
    std::vector<int64_t> actions;
    std::vector<float> rewards;
};

class Agent {
public:
    Agent(int64_t arms, torch::Device device)
        : device_(device), policy_(arms, arms), optimizer_(policy_.parameters(), 1e-2) {
        policy_.to(device_);
    }

    int64_t act(const torch::Tensor& context) {
        torch::NoGradGuard guard;
        auto probabilities = policy_.actor->forward(context.to(device_)).softmax(-1);
        return probabilities.multinomial(1).item<int64_t>();
    }

    double learn(const Episode& episode) {
        auto contexts = torch::stack(episode.contexts).to(device_);
        auto rewards = torch::tensor(episode.rewards).to(device_);
        auto actions = torch::tensor(episode.actions, torch::kLong).unsqueeze(1);

        auto values = policy_.critic(contexts).squeeze(1);
        auto log_probabilities = policy_.actor->forward(contexts).log_softmax(-1);
        auto chosen = log_probabilities.gather(1, actions).squeeze(1); // expect: device-mismatch
        auto advantage = rewards - values;
        auto loss = -(chosen * advantage.detach()).mean() + 0.5 * advantage.pow(2).mean();
        optimizer_.zero_grad();
        loss.backward();
        optimizer_.step();
        return loss.item<double>();
    }

private:
    torch::Device device_;
    Policy policy_;
    torch::optim::Adam optimizer_;
};

int main() {
    torch::manual_seed(33);
    const int64_t arms = 4;
    Agent agent(arms, torch::Device(torch::kCUDA, 0));

    for (int round = 0; round < 5; ++round) {
        Episode episode;
        for (int t = 0; t < 16; ++t) {
            auto context = torch::randn({arms});
            auto action = agent.act(context);
            episode.contexts.push_back(context);
            episode.actions.push_back(action);
            episode.rewards.push_back(context.argmax().item<int64_t>() == action ? 1.0f : 0.0f);
        }
        double mean = std::accumulate(episode.rewards.begin(), episode.rewards.end(), 0.0) / episode.rewards.size();
        std::cout << "round " << round << " reward " << mean << " loss " << agent.learn(episode) << "\n";
    }
}
