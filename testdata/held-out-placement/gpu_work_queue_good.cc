#include <torch/torch.h>

#include <condition_variable>
#include <iostream>
#include <map>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

// Work queue: whichever GPU is free takes the next request.

struct Request {
  int id;
  torch::Tensor input;
};

class RequestQueue {
 public:
  void push(Request request) {
    std::unique_lock<std::mutex> lock(mutex_);
    requests_.push(std::move(request));
    changed_.notify_one();
  }
  void finish() {
    std::unique_lock<std::mutex> lock(mutex_);
    finished_ = true;
    changed_.notify_all();
  }
  bool pop(Request& request) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return finished_ || !requests_.empty(); });
    if (requests_.empty()) return false;
    request = std::move(requests_.front());
    requests_.pop();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<Request> requests_;
  bool finished_ = false;
};

class Results {
 public:
  void put(int id, const torch::Tensor& output) {
    auto host = output.to(torch::kCPU);
    std::lock_guard<std::mutex> lock(mutex_);
    outputs_[id] = host;
  }
  torch::Tensor stacked() const {
    std::vector<torch::Tensor> rows;
    for (const auto& [id, output] : outputs_) rows.push_back(output);
    return torch::cat(rows);
  }

 private:
  std::mutex mutex_;
  std::map<int, torch::Tensor> outputs_;
};

void worker(int gpu, RequestQueue& queue, Results& results) {
  torch::NoGradGuard no_grad;
  const torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(gpu));
  torch::nn::Sequential net(torch::nn::Linear(4, 4), torch::nn::Softmax(1));
  for (auto& p : net->parameters()) p.fill_(0.25);
  net->to(device);
  Request request;
  while (queue.pop(request)) {
    results.put(request.id, net->forward(request.input.to(device)));
  }
}

int main() {
  torch::manual_seed(30);
  RequestQueue queue;
  Results results;
  std::vector<std::thread> workers;
  for (int gpu = 0; gpu < static_cast<int>(torch::cuda::device_count()); ++gpu) {
    workers.emplace_back(worker, gpu, std::ref(queue), std::ref(results));
  }

  // Some requests are on a GPU already, as another model made them.
  for (int id = 0; id < 6; ++id) {
    auto input = torch::randn({2, 4});
    if (id % 3 == 0) input = input.to(torch::Device(torch::kCUDA, 0));
    queue.push({id, input});
  }
  queue.finish();
  for (auto& thread : workers) thread.join();
  std::cout << results.stacked().sum(0) << "\n";
}
