// A worker waits for what another thread puts in its queue.
#include <cuda_runtime.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Server {
 public:
  Server() : worker_([this] { serve(); }) {}
  ~Server() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    worker_.join();
  }
  void submit(float request) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      queue_.push_back(request);
    }
    wake_.notify_one();
  }

 private:
  std::vector<float> next_batch() {
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    std::vector<float> batch(queue_.begin(), queue_.end());
    queue_.clear();
    return batch;
  }

  void serve() {
    float* device = nullptr;
    cudaMalloc(&device, 256 * sizeof(float));
    std::unique_ptr<float[]> host(new float[256]);
    for (auto batch = next_batch(); !batch.empty(); batch = next_batch()) {
      size_t bytes = batch.size() * sizeof(float);
      cudaMemcpy(device, batch.data(), bytes, cudaMemcpyHostToDevice);
      cudaMemcpy(host.get(), device, bytes, cudaMemcpyDeviceToHost);
      cudaMemcpy(device, host.get(), bytes, cudaMemcpyDeviceToHost);  // expect: cuda-memcpy-kind
    }
    cudaFree(device);
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<float> queue_;
  bool stopping_ = false;
  std::thread worker_;
};

int main() {
  Server server;
  server.submit(1.0f);
  server.submit(2.0f);
  return 0;
}
