// Buffers know their type at compile time; each collective is asked for with one type.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>
#include <utility>

template <typename T>
struct TypeOf;
template <>
struct TypeOf<float> {
  static constexpr ncclDataType_t kValue = ncclFloat;
};
template <>
struct TypeOf<double> {
  static constexpr ncclDataType_t kValue = ncclDouble;
};

template <typename T>
class DeviceBuffer {
 public:
  DeviceBuffer(int device, size_t count) : count_(count) {
    cudaSetDevice(device);
    cudaMalloc(&data_, count * sizeof(T));
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { cudaFree(data_); }

  T* data() const { return data_; }
  size_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  size_t count_;
};

template <typename T>
void sum(const DeviceBuffer<T>& buffer, ncclComm_t comm, cudaStream_t stream) {
  ncclAllReduce(buffer.data(), buffer.data(), buffer.size(), TypeOf<T>::kValue, ncclSum, comm,
                stream);
}

int main() {
  ncclComm_t comms[2];
  cudaStream_t streams[2];
  const int devices[2] = {0, 1};
  ncclCommInitAll(comms, 2, devices);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(devices[i]);
    cudaStreamCreate(&streams[i]);
  }
  DeviceBuffer<float> loss(0, 64), other_loss(1, 64);
  DeviceBuffer<double> norm(0, 16), other_norm(1, 16);
  ncclGroupStart();
  sum(loss, comms[0], streams[0]);
  sum(other_loss, comms[1], streams[1]);
  sum(norm, comms[0], streams[0]);
  sum(other_norm, comms[1], streams[1]);
  ncclGroupEnd();
  // A rank's own order counts, not that of the source.
  ncclGroupStart();
  sum(loss, comms[0], streams[0]);
  sum(norm, comms[0], streams[0]);
  sum(other_loss, comms[1], streams[1]);
  sum(other_norm, comms[1], streams[1]);
  ncclGroupEnd();
}
