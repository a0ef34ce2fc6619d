#include <torch/torch.h>

#include <iostream>
#include <numeric>
#include <vector>

// Two stages, micro-batches, and a long skip from the input projection to the head.
struct Front : torch::nn::Module {
  Front(int64_t in, int64_t width) : proj(in, width), body(width, width) {
    register_module("proj", proj);
    register_module("body", body);
  }
  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor& x) {
    auto skip = proj(x);
    return {torch::gelu(body(torch::gelu(skip))), skip};
  }
  torch::nn::Linear proj, body;
};

struct Back : torch::nn::Module {
  Back(int64_t width, int64_t out) : body(width, width), head(width, out) {
    register_module("body", body);
    register_module("head", head);
  }
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& skip) {
    return head(torch::gelu(body(x)) + skip);
  }
  torch::nn::Linear body, head;
};

struct Crossing {
  torch::Tensor hidden;
  torch::Tensor skip;

  Crossing to(torch::Device device) const {
    return {hidden.to(device, /*non_blocking=*/true), skip.to(device, /*non_blocking=*/true)};
  }
};

class Pipeline {
 public:
  Pipeline(int64_t in, int64_t width, int64_t out)
      : front_(std::make_shared<Front>(in, width)), back_(std::make_shared<Back>(width, out)) {
    front_->to(dev0_);
    back_->to(dev1_);
  }

  std::vector<torch::Tensor> run(const torch::Tensor& batch, int64_t micro) {
    std::vector<Crossing> in_flight;
    std::vector<torch::Tensor> outputs;
    for (const auto& piece : batch.split(micro)) {
      auto [hidden, skip] = front_->forward(piece.to(dev0_));
      in_flight.push_back(Crossing{hidden, skip}.to(dev1_));
      if (in_flight.size() > 1) outputs.push_back(drain(in_flight));
    }
    while (!in_flight.empty()) outputs.push_back(drain(in_flight));
    return outputs;
  }

  std::vector<torch::Tensor> parameters() {
    auto result = front_->parameters();
    auto rest = back_->parameters();
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
  }

  torch::Device last() const { return dev1_; }

 private:
  torch::Tensor drain(std::vector<Crossing>& queue) {
    Crossing next = queue.front();
    queue.erase(queue.begin());
    return back_->forward(next.hidden, next.skip);
  }

  torch::Device dev0_{torch::kCUDA, 0};
  torch::Device dev1_{torch::kCUDA, 1};
  std::shared_ptr<Front> front_;
  std::shared_ptr<Back> back_;
};

int main() {
  torch::manual_seed(1);
  Pipeline pipe(6, 10, 2);
  torch::optim::SGD sgd(pipe.parameters(), 0.05);
  auto x = torch::randn({14, 6});
  auto y = torch::stack({x.sum(1), x.prod(1)}, 1);

  for (int epoch = 0; epoch < 3; ++epoch) {
    sgd.zero_grad();
    auto outputs = pipe.run(x, 4);
    auto targets = y.split(4);
    std::vector<torch::Tensor> losses;
    for (size_t i = 0; i < outputs.size(); ++i) {
      losses.push_back(torch::mse_loss(outputs[i], targets[i].to(pipe.last())));
    }
    auto loss = torch::stack(losses).mean();
    loss.backward();
    sgd.step();
    std::cout << "epoch " << epoch << " loss " << loss.item<double>() << "\n";
  }
}
