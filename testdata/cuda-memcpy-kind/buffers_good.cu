// Buffers of both sides behind one template, with the direction that follows from their kinds.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

enum class Side { kHost, kDevice };

template <Side kSide>
struct Memory {
  explicit Memory(size_t bytes) {
    if constexpr (kSide == Side::kDevice) {
      cudaMalloc(&data, bytes);
    } else {
      data = std::malloc(bytes);
    }
  }
  Memory(const Memory&) = delete;
  ~Memory() {
    if constexpr (kSide == Side::kDevice) {
      cudaFree(data);
    } else {
      std::free(data);
    }
  }
  void* data = nullptr;
};

template <Side kTo, Side kFrom>
constexpr cudaMemcpyKind direction() {
  if (kTo == Side::kDevice) {
    return kFrom == Side::kDevice ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  }
  return kFrom == Side::kDevice ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

template <Side kTo, Side kFrom>
void copy(Memory<kTo>& to, const Memory<kFrom>& from, size_t bytes) {
  cudaMemcpy(to.data, from.data, bytes, direction<kTo, kFrom>());
}

// A layer whose weights go up before a step and come back after it.
class Layer {
 public:
  explicit Layer(size_t count) : host_(count, 1.0F) {
    cudaMalloc(&device_, count * sizeof(float));
    upload();
  }
  ~Layer() { cudaFree(device_); }
  Layer(const Layer&) = delete;

  void synchronize(bool to_device) {
    float* to = to_device ? device_ : host_.data();
    const float* from = to_device ? host_.data() : device_;
    cudaMemcpy(to, from, bytes(), to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  }
  void upload() { cudaMemcpy(device_, host_.data(), bytes(), cudaMemcpyHostToDevice); }
  void download() { cudaMemcpy(host_.data(), device_, bytes(), cudaMemcpyDeviceToHost); }
  void copy_to(Layer& other) const {
    if (other.host_.size() != host_.size()) return;
    cudaMemcpy(other.device_, device_, bytes(), cudaMemcpyDeviceToDevice);
    std::memcpy(other.host_.data(), host_.data(), bytes());
  }

 private:
  size_t bytes() const { return host_.size() * sizeof(float); }
  std::vector<float> host_;
  float* device_ = nullptr;
};

int main() {
  Memory<Side::kHost> a(1024), b(1024);
  Memory<Side::kDevice> c(1024), d(1024);
  copy(c, a, 1024);
  copy(d, c, 1024);
  copy(b, d, 1024);
  copy(a, b, 1024);
  Layer first(64), second(64);
  first.synchronize(/*to_device=*/true);
  first.copy_to(second);
  second.download();
  second.synchronize(/*to_device=*/false);
}
