// Helpers that move whatever they are given, and return it; their results are kept.
#include <torch/torch.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

template <typename T>
T moved(T value, const torch::Device& device) {
  return value.to(device);
}

template <typename T>
std::vector<T> moved(const std::vector<T>& values, const torch::Device& device) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const T& value : values) result.push_back(value.to(device));
  return result;
}

template <typename... Tensors>
void move_all(const torch::Device& device, Tensors&... tensors) {
  ((tensors = tensors.to(device)), ...);
}

// An assignment through a reference, a pointer, an iterator.
void move_table(std::map<std::string, torch::Tensor>& table, const torch::Device& device) {
  for (auto& [name, tensor] : table) tensor = tensor.to(device);
  torch::Tensor* first = &table.begin()->second;
  *first = first->to(device);
  for (auto entry = table.begin(); entry != table.end(); ++entry)
    entry->second = entry->second.to(device);
}

class Normalizer {
 public:
  Normalizer& to(const torch::Device& device) {
    mean_ = mean_.to(device);
    deviation_ = deviation_.to(device);
    return *this;
  }
  torch::Tensor operator()(const torch::Tensor& x) const { return (x - mean_) / deviation_; }

 private:
  torch::Tensor mean_ = torch::zeros({3}), deviation_ = torch::ones({3});
};

int main() {
  const torch::Device device(torch::kCUDA, 1);
  torch::Tensor x = moved(torch::rand({2, 3}), device);
  std::vector<torch::Tensor> parts = moved(std::vector<torch::Tensor>(2, torch::ones({3})), device);
  torch::Tensor a = torch::rand({3}), b = torch::rand({3});
  move_all(device, a, b);
  std::map<std::string, torch::Tensor> table{{"a", torch::rand({3})}, {"b", torch::rand({3})}};
  move_table(table, device);
  Normalizer normalizer;
  normalizer.to(device);
  torch::Tensor sum = normalizer(x) + parts[0] * a + parts[1] * b + table.at("a");
}
