#include <torch/torch.h>

#include <condition_variable>
#include <deque>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

// Requests go through one queue to a worker for each GPU; whoever is free takes the next.

struct Request {
  int id;
  torch::Tensor input;
};

class Dispatcher {
 public:
  explicit Dispatcher(int workers) {
    for (int i = 0; i < workers; ++i) threads_.emplace_back(&Dispatcher::serve, this, i);
  }

  ~Dispatcher() { finish(); }

  void submit(Request request) {
    std::lock_guard<std::mutex> lock(mutex_);
    requests_.push_back(std::move(request));
    wake_.notify_one();
  }

  std::map<int, torch::Tensor> finish() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
      wake_.notify_all();
    }
    for (auto& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    return results_;
  }

 private:
  void serve(int gpu) {
    torch::NoGradGuard no_grad;
    // The current device belongs to the thread, so every worker sets its own.
    c10::DeviceGuard guard(torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(gpu)));
    auto filter = torch::ones({1, 1, 3}, torch::kCUDA) / 3;
    while (true) {
      Request request;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [this] { return stop_ || !requests_.empty(); });
        if (requests_.empty()) return;
        request = std::move(requests_.front());
        requests_.pop_front();
      }
      auto signal = request.input.to(torch::kCUDA).view({1, 1, -1});
      auto smooth = torch::conv1d(signal, filter).flatten().cpu();
      std::lock_guard<std::mutex> lock(mutex_);
      results_[request.id] = smooth;
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Request> requests_;
  std::map<int, torch::Tensor> results_;
  std::vector<std::thread> threads_;
  bool stop_ = false;
};

int main() {
  torch::manual_seed(90);
  Dispatcher dispatcher(2);
  // Some of the inputs are on a GPU already, on either of them.
  const std::vector<torch::Device> origins = {torch::kCPU, {torch::kCUDA, 0}, {torch::kCUDA, 1}};
  for (int id = 0; id < 9; ++id) {
    dispatcher.submit({id, torch::randn({10 + id}).to(origins[id % origins.size()])});
  }
  std::vector<torch::Tensor> all;
  for (const auto& [id, result] : dispatcher.finish()) {
    std::cout << id << ": " << result.size(0) << " samples, mean " << result.mean().item<float>() << "\n";
    all.push_back(result);
  }
  std::cout << "total " << torch::cat(all).size(0) << std::endl;
  return 0;
}
