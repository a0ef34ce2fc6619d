// Maps: what inserting answers, numbers as keys, and entries that are given in braces.
#include <torch/torch.h>

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

class Grids {
 public:
  const torch::Tensor& at(int64_t rows, int64_t columns) {
    auto key = std::make_tuple(rows, columns);
    auto found = grids_.find(key);
    if (found == grids_.end()) found = grids_.emplace(key, torch::ones({rows, columns})).first;
    return found->second;
  }
  const torch::Tensor& row(int64_t columns) {
    auto [found, is_new] = rows_.try_emplace(columns, torch::ones({columns}));
    if (is_new) found->second = torch::zeros({columns});
    return found->second;
  }

 private:
  std::map<std::tuple<int64_t, int64_t>, torch::Tensor> grids_;
  std::unordered_map<int64_t, torch::Tensor> rows_;
};

// A mask is made for each device where one is asked for.
class Masks {
 public:
  const torch::Tensor& on(const torch::Device& device) {
    torch::Tensor& mask = masks_[device.index()];
    if (!mask.defined()) mask = torch::ones({4}, device);
    return mask;
  }

 private:
  std::map<int, torch::Tensor> masks_;
};

torch::Device device_named(const std::string& role) {
  static const std::map<std::string, std::string> devices = {{"train", "cuda:0"}, {"eval", "cpu"}};
  return torch::Device(devices.at(role));
}

int main() {
  auto x = torch::rand({2, 4}, torch::kCUDA);
  Grids grids;
  auto bad = x + grids.at(2, 4);  // expect: device-mismatch
  auto worse = x + grids.row(4);  // expect: device-mismatch
  auto good = x + grids.at(2, 4).to(torch::kCUDA);

  Masks masks;
  auto first = torch::rand({4}, torch::Device(torch::kCUDA, 0));
  auto second = torch::rand({4}, torch::Device(torch::kCUDA, 1));
  first = first * masks.on(first.device());
  second = second * masks.on(second.device());
  second = second * masks.on(first.device());  // expect: device-mismatch

  auto batch = torch::rand({2, 4}).to(device_named("eval"));
  auto weight = torch::rand({4, 4}).to(device_named("train"));
  auto scores = batch.mm(weight);  // expect: device-mismatch
}
