#include <torch/torch.h>

#include <iostream>
#include <vector>

// Two-tower retrieval model. Queries and documents have their own encoders on their own GPUs;
// negatives are the other documents of the batch.
torch::nn::Sequential make_tower(int64_t in, int64_t out) {
  return torch::nn::Sequential(torch::nn::Linear(in, 16), torch::nn::ReLU(),
                               torch::nn::Linear(16, out));
}

struct Towers {
  torch::nn::Sequential query, document;
  torch::Device query_device, document_device;

  Towers(torch::Device q, torch::Device d)
      : query(make_tower(6, 4)), document(make_tower(9, 4)), query_device(q), document_device(d) {
    query->to(query_device);
    document->to(document_device);
  }

  torch::Tensor scores(const torch::Tensor& queries, const torch::Tensor& documents) {
    auto q = query->forward(queries.to(query_device));
    auto d = document->forward(documents.to(document_device)).to(q.device());
    return torch::matmul(q, d.t());
  }
};

struct InBatchLoss {
  double temperature = 0.2;
  double smoothing = 0.05;

  torch::Tensor operator()(const torch::Tensor& scores) const {
    auto positives = torch::arange(scores.size(0), torch::kLong);
    auto log_p = torch::log_softmax(scores / temperature, 1);
    auto main = torch::nll_loss(log_p, positives); // expect: device-mismatch
    auto smooth = -log_p.mean();
    return (1 - smoothing) * main + smoothing * smooth;
  }
};

double recall_at_1(const torch::Tensor& scores) {
  auto best = scores.argmax(1).cpu();
  auto truth = torch::arange(scores.size(0), torch::kLong);
  return best.eq(truth).to(torch::kDouble).mean().item<double>();
}

int main() {
  torch::manual_seed(44);
  Towers towers(torch::Device(torch::kCUDA, 0), torch::Device(torch::kCUDA, 1));
  std::vector<torch::Tensor> params = towers.query->parameters();
  auto more = towers.document->parameters();
  params.insert(params.end(), more.begin(), more.end());
  torch::optim::Adam adam(params, torch::optim::AdamOptions(0.01));
  InBatchLoss criterion;

  auto topics = torch::randn({24, 3});
  auto queries = torch::cat({topics, torch::randn({24, 3})}, 1);
  auto documents = torch::cat({torch::randn({24, 6}), topics}, 1);

  {
    torch::NoGradGuard no_grad;
    std::cout << "recall before " << recall_at_1(towers.scores(queries, documents)) << "\n";
  }
  for (int epoch = 0; epoch < 3; ++epoch) {
    auto order = torch::randperm(24, torch::kLong);
    for (const auto& rows : order.split(8)) {
      auto scores = towers.scores(queries.index_select(0, rows), documents.index_select(0, rows));
      auto loss = criterion(scores);
      adam.zero_grad();
      loss.backward();
      adam.step();
      std::cout << "loss " << loss.item<float>() << "\n";
    }
  }
  torch::NoGradGuard no_grad;
  std::cout << "recall after " << recall_at_1(towers.scores(queries, documents)) << "\n";
  return 0;
}
