#include <torch/torch.h>

#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

template <typename T>
class BlockingQueue {
 public:
  void push(T value) {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(std::move(value));
    ready_.notify_one();
  }
  void close() {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    ready_.notify_all();
  }
  std::optional<T> pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    T value = std::move(items_.front());
    items_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<T> items_;
  bool closed_ = false;
};

torch::nn::Sequential front_part() {
  return torch::nn::Sequential(torch::nn::Linear(6, 12), torch::nn::ReLU());
}
torch::nn::Sequential back_part() {
  return torch::nn::Sequential(torch::nn::Linear(12, 12), torch::nn::ReLU(), torch::nn::Linear(12, 2));
}

int main() {
  torch::manual_seed(19);
  torch::Device gpu0(torch::kCUDA, 0), gpu1(torch::kCUDA, 1);
  auto front = front_part();
  auto back = back_part();
  front->to(gpu0);
  back->to(gpu1);

  BlockingQueue<torch::Tensor> input, hidden;

  std::thread first([&] {
    torch::NoGradGuard no_grad;
    while (auto batch = input.pop()) {
      hidden.push(front->forward(batch->to(gpu0)));
    }
    hidden.close();
  });

  std::vector<float> results;
  std::thread second([&] {
    torch::NoGradGuard no_grad;
    while (auto activation = hidden.pop()) {
      auto logits = back->forward(*activation); // expect: device-mismatch
      results.push_back(logits.mean().item<float>());
    }
  });

  for (int i = 0; i < 5; ++i) input.push(torch::randn({4, 6}));
  input.close();
  first.join();
  second.join();

  for (float value : results) std::cout << value << "\n";
}
