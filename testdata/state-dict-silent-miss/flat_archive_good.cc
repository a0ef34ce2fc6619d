// A flat file of names and tensors, written and read by modules of one kind.
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct DetectorImpl : torch::nn::Cloneable<DetectorImpl> {
  DetectorImpl() { reset(); }
  void reset() override {
    backbone = register_module("backbone", torch::nn::Linear(10, 6));
    boxes = register_module("boxes", torch::nn::Linear(6, 4));
  }
  torch::Tensor forward(torch::Tensor x) { return boxes(torch::relu(backbone(x))); }
  torch::nn::Linear backbone{nullptr}, boxes{nullptr};
};
TORCH_MODULE(Detector);

// A point is no part of an archive's names.
std::string file_key(std::string key) {
  for (char& letter : key) letter = letter == '.' ? '/' : letter;
  return key;
}

void save_flat(const torch::nn::Module& module, const std::string& path) {
  torch::serialize::OutputArchive archive;
  for (const auto& entry : module.named_parameters())
    archive.write(file_key(entry.key()), entry.value());
  archive.save_to(path);
}

int load_flat(torch::nn::Module& module, const std::string& path) {
  torch::NoGradGuard no_grad;
  torch::serialize::InputArchive archive;
  archive.load_from(path);
  int loaded = 0;
  for (auto& entry : module.named_parameters()) {
    torch::Tensor saved;
    if (!archive.try_read(file_key(entry.key()), saved)) continue;
    entry.value().copy_(saved);
    ++loaded;
  }
  return loaded;
}

int main() {
  Detector detector, deployed, other;
  DataParallel parallel(detector), again(other);
  save_flat(*detector, "bare.pt");
  std::cout << load_flat(*deployed, "bare.pt") << " loaded\n";
  save_flat(parallel, "wrapped.pt");
  std::cout << load_flat(again, "wrapped.pt") << " loaded\n";
  std::cout << load_flat(*again.module(), "bare.pt") << " loaded\n";
}
