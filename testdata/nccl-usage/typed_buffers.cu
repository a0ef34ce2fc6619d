// Buffers know their type at compile time; the ranks' buffers are of two types.
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
  ncclAllReduce(buffer.data(), buffer.data(), buffer.size(), TypeOf<T>::kValue, ncclSum,  // expect: nccl-usage
                comm, stream);
}

template <typename T>
void share(const DeviceBuffer<T>& buffer, int root, ncclComm_t comm, cudaStream_t stream) {
  ncclBroadcast(buffer.data(), buffer.data(), buffer.size(), TypeOf<T>::kValue, root, comm,  // expect: nccl-usage
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
  DeviceBuffer<float> loss(0, 64);
  DeviceBuffer<double> precise_loss(1, 64);
  ncclGroupStart();
  sum(loss, comms[0], streams[0]);
  sum(precise_loss, comms[1], streams[1]);
  ncclGroupEnd();

  DeviceBuffer<float> first(0, 128), second(1, 128);
  ncclGroupStart();
  for (int i = 0; i < 2; ++i) share(i == 0 ? first : second, /*root=*/i, comms[i], streams[i]);
  ncclGroupEnd();
}
