#include <torch/torch.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

// Exchanges weights with the Python side as a pickled dict of tensors.

struct Detector : torch::nn::Module {
  Detector() {
    trunk = register_module("trunk", torch::nn::Linear(6, 10));
    boxes = register_module("boxes", torch::nn::Linear(10, 4));
    scores = register_module("scores", torch::nn::Linear(10, 2));
  }
  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor& x) {
    auto h = torch::relu(trunk(x));
    return {boxes(h), scores(h)};
  }
  torch::nn::Linear trunk{nullptr}, boxes{nullptr}, scores{nullptr};
};

void write_pickle(const torch::nn::Module& module, const std::string& path) {
  c10::impl::GenericDict dict(c10::StringType::get(), c10::TensorType::get());
  for (const auto& p : module.named_parameters()) dict.insert(p.key(), p.value().detach());
  std::vector<char> bytes = torch::pickle_save(dict);
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

c10::impl::GenericDict read_pickle(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return torch::pickle_load(bytes).toGenericDict();
}

void adopt(torch::nn::Module& module, const c10::impl::GenericDict& dict) {
  torch::NoGradGuard guard;
  for (auto& p : module.named_parameters()) {
    p.value().set_data(dict.at(p.key()).toTensor());
  }
}

int main() {
  const std::string path = "/tmp/cc6_detector.pkl";
  torch::manual_seed(2);
  {
    Detector trained;
    trained.to(torch::Device(torch::kCUDA, 1));
    write_pickle(trained, path);
  }

  const torch::Device device(torch::kCUDA, 0);
  Detector detector;
  detector.to(device);
  adopt(detector, read_pickle(path));
  detector.eval();

  torch::NoGradGuard guard;
  auto image_features = torch::rand({3, 6}).to(device);
  auto [boxes, scores] = detector.forward(image_features); // expect: device-mismatch
  auto keep = scores.softmax(1).select(1, 1) > 0.3;
  std::cout << "kept " << keep.sum().item<int64_t>() << " of " << boxes.size(0) << "\n";
  return 0;
}
