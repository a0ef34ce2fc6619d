// A program that uses libtorch's tensors and the CUDA runtime side by side, as extensions and
// inference servers do. It prints the first thing that is wrong; nothing when all is right.
#include <cuda_runtime_api.h>
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

void require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  require(error == cudaSuccess, what);
}

torch::Device current() { return torch::zeros({1}, torch::kCUDA).device(); }

void the_current_device_is_shared() {
  require(cudaSetDevice(1), "cudaSetDevice");
  require(current() == torch::Device("cuda:1"), "tensors follow cudaSetDevice");
  {
    const c10::DeviceGuard guard(torch::Device("cuda:0"));
    int device = -1;
    require(cudaGetDevice(&device), "cudaGetDevice");
    require(device == 0, "cudaGetDevice follows libtorch's guard");
  }
  require(current() == torch::Device("cuda:1"), "the guard gives back what was current");
}

void tensors_are_memory_of_their_device() {
  const torch::Tensor tensor =
      torch::arange(8, torch::TensorOptions(torch::Device("cuda:1")).dtype(torch::kFloat));
  std::vector<float> host(8);
  require(cudaMemcpy(host.data(), tensor.data_ptr(), 32, cudaMemcpyDeviceToHost),
          "a tensor is copied to the host");
  require(host[7] == 7.0F, "a tensor's values are copied");
  cudaPointerAttributes attributes{};
  require(cudaPointerGetAttributes(&attributes, tensor.data_ptr<float>() + 3), "attributes");
  require(attributes.type == cudaMemoryTypeDevice && attributes.device == 1,
          "a tensor's pointer is the device's");
  require(cudaMemcpy(host.data(), tensor.data_ptr(), 32, cudaMemcpyHostToDevice) ==
              cudaErrorInvalidValue,
          "the wrong direction is refused");
  require(cudaFree(tensor.data_ptr()) == cudaErrorInvalidValue, "a tensor keeps its memory");
  static_cast<void>(cudaGetLastError());
}

void memory_of_the_program_becomes_a_tensor() {
  float* memory = nullptr;
  require(cudaMalloc(reinterpret_cast<void**>(&memory), 32), "cudaMalloc");
  const std::vector<float> host{1, 2, 3, 4, 5, 6, 7, 8};
  require(cudaMemcpy(memory, host.data(), 32, cudaMemcpyHostToDevice), "copy to the device");
  torch::Tensor tensor = torch::from_blob(memory, {8}, torch::device(torch::kCUDA));
  require(tensor.device() == torch::Device("cuda:1"), "a blob is where cudaMalloc made it");
  tensor.mul_(2);
  require(tensor.sum().item<float>() == 72.0F, "libtorch computes on memory of cudaMalloc");
  std::vector<float> back(8);
  require(cudaMemcpy(back.data(), memory, 32, cudaMemcpyDeviceToHost), "copy back");
  require(back[0] == 2.0F && back[7] == 16.0F, "what libtorch wrote is read");
  require(cudaMemset(memory, 0, 32), "cudaMemset");
  require(tensor.slice(0, 4).sum().item<float>() == 0.0F, "what CUDA wrote is read");
  require(cudaFree(memory), "cudaFree");
}

void memory_has_one_limit() {
  std::size_t before = 0;
  std::size_t total = 0;
  require(cudaMemGetInfo(&before, &total), "cudaMemGetInfo");
  const torch::Tensor tensor = torch::zeros({1 << 20}, torch::kCUDA);
  std::size_t after = 0;
  require(cudaMemGetInfo(&after, &total), "cudaMemGetInfo");
  require(before - after == std::size_t{4} << 20, "tensors take memory of the device");
  void* rest = nullptr;
  require(cudaMalloc(&rest, after), "the rest of the memory");
  bool is_refused = false;
  try {
    torch::zeros({1 << 20}, torch::kCUDA);
  } catch (const c10::OutOfMemoryError& error) {
    is_refused = std::string(error.what()).find("CUDA out of memory. Tried to allocate 4.00 MiB") !=
                 std::string::npos;
  }
  require(is_refused, "there is no more memory for tensors");
  require(cudaFree(rest), "cudaFree");
}

void pinned_memory_is_known() {
  void* memory = nullptr;
  require(cudaMallocHost(&memory, 32), "cudaMallocHost");
  require(torch::from_blob(memory, {8}).is_pinned(), "libtorch knows what CUDA pinned");
  require(cudaFreeHost(memory), "cudaFreeHost");
  const torch::Tensor pinned = torch::zeros({8}).pin_memory();
  cudaPointerAttributes attributes{};
  require(cudaPointerGetAttributes(&attributes, pinned.data_ptr()), "attributes");
  require(attributes.type == cudaMemoryTypeHost, "CUDA knows what libtorch pinned");
}

}  // namespace

int main() {
  the_current_device_is_shared();
  tensors_are_memory_of_their_device();
  memory_of_the_program_becomes_a_tensor();
  memory_has_one_limit();
  pinned_memory_is_known();
  std::printf("all is right\n");
  return 0;
}
