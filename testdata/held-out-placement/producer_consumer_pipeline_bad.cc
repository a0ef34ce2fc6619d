#include <torch/torch.h>

#include <condition_variable>
#include <future>
#include <iostream>
#include <mutex>
#include <optional>
#include <queue>

template <typename T>
class BlockingQueue {
 public:
  void push(T value) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      items_.push(std::move(value));
    }
    ready_.notify_one();
  }

  void close() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }

  std::optional<T> pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    T value = std::move(items_.front());
    items_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<T> items_;
  bool closed_ = false;
};

struct Features {
  int id;
  torch::Tensor values;
};

// First half of the model, on the first GPU.
void encode(BlockingQueue<Features>& out, torch::Device device) {
  torch::NoGradGuard no_grad;
  torch::nn::Linear encoder(8, 16);
  encoder->to(device);
  for (int id = 0; id < 5; ++id) {
    auto x = torch::randn({4, 8}, device);
    out.push({id, torch::relu(encoder(x))});
  }
  out.close();
}

// Second half, on the second.
float decode(BlockingQueue<Features>& in, torch::Device device) {
  torch::NoGradGuard no_grad;
  torch::nn::Linear decoder(16, 2);
  decoder->to(device);
  float total = 0;
  while (auto item = in.pop()) {
    item->values.to(device, /*non_blocking=*/true); // expect: discarded-transfer
    auto scores = decoder(item->values); // expect: device-mismatch
    total += scores.mean().item<float>();
    std::cout << "decoded " << item->id << std::endl;
  }
  return total;
}

int main() {
  torch::manual_seed(13);
  BlockingQueue<Features> queue;
  auto producer = std::async(std::launch::async, [&] { encode(queue, torch::Device("cuda:0")); });
  auto consumer = std::async(std::launch::async, [&] { return decode(queue, torch::Device("cuda:1")); });
  producer.get();
  std::cout << "total " << consumer.get() << std::endl;
  return 0;
}
