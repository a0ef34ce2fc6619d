#include <torch/torch.h>

#include <iostream>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

// Batch inference, one worker thread a GPU. Workers take the next piece of work from a shared
// counter; predictions are put together on the host in their original order.
struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(8, 16));
    fc2 = register_module("fc2", torch::nn::Linear(16, 3));
    register_buffer("mean", torch::zeros({8}));
    register_buffer("scale", torch::ones({8}));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto buffers = named_buffers(/*recurse=*/false);
    x = (x - buffers["mean"]) * buffers["scale"];
    return torch::log_softmax(fc2(torch::relu(fc1(x))), 1);
  }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Net);

class WorkList {
 public:
  explicit WorkList(std::vector<torch::Tensor> pieces) : pieces_(std::move(pieces)) {}

  bool next(size_t* index, torch::Tensor* piece) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (at_ == pieces_.size()) return false;
    *index = at_;
    *piece = pieces_[at_++];
    return true;
  }

  void finish(size_t index, torch::Tensor result) {
    std::lock_guard<std::mutex> lock(mutex_);
    results_[index] = std::move(result);
  }

  torch::Tensor joined() const {
    std::vector<torch::Tensor> ordered;
    for (const auto& [index, result] : results_) ordered.push_back(result);
    return torch::cat(ordered);
  }

 private:
  std::mutex mutex_;
  std::vector<torch::Tensor> pieces_;
  size_t at_ = 0;
  std::map<size_t, torch::Tensor> results_;
};

void serve(const Net& original, int rank, WorkList& work) {
  torch::NoGradGuard no_grad;
  torch::Device device(torch::kCUDA, rank);
  Net net(std::dynamic_pointer_cast<NetImpl>(original->clone(device)));
  net->eval();
  size_t index = 0;
  torch::Tensor piece;
  while (work.next(&index, &piece)) {
    auto output = net->forward(piece.to(device));
    work.finish(index, output.cpu());
  }
}

int main() {
  torch::manual_seed(6);
  Net net;
  auto data = torch::randn({37, 8});
  net->named_buffers()["mean"].copy_(data.mean(0));
  net->named_buffers()["scale"].copy_(1.0 / data.std(0));

  WorkList work(data.split(5));
  std::vector<std::thread> threads;
  const int ranks = static_cast<int>(torch::cuda::device_count());
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back(serve, std::cref(net), rank, std::ref(work));
  }
  for (auto& thread : threads) thread.join();

  auto all = work.joined();
  auto histogram = torch::bincount(all.argmax(1), {}, 3);
  std::cout << all.sizes() << " predictions, by class:\n" << histogram << std::endl;
  return all.size(0) == data.size(0) ? 0 : 1;
}
