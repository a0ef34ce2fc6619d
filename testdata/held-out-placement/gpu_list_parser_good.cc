#include <torch/torch.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static std::string trim(const std::string& s) {
  auto first = std::find_if_not(s.begin(), s.end(), [](unsigned char c) { return std::isspace(c); });
  auto last = std::find_if_not(s.rbegin(), s.rend(), [](unsigned char c) { return std::isspace(c); });
  return first < last.base() ? std::string(first, last.base()) : std::string();
}

// Accepts "0, 1", "cuda:0 , cuda:1" and "GPU:0,GPU:1".
static std::vector<torch::Device> parse_gpus(const std::string& text) {
  std::vector<torch::Device> gpus;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) {
    item = trim(item);
    if (item.empty()) continue;
    std::transform(item.begin(), item.end(), item.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::isdigit(static_cast<unsigned char>(item.front()))) item = "cuda:" + item;
    if (item.rfind("gpu", 0) == 0) item.replace(0, 3, "cuda");
    gpus.emplace_back(item);
  }
  return gpus;
}

template <typename Function>
static std::vector<torch::Tensor> map_chunks(const torch::Tensor& input,
                                             const std::vector<torch::Device>& devices, Function f) {
  auto chunks = input.chunk(static_cast<int64_t>(devices.size()));
  std::vector<torch::Tensor> results;
  for (size_t i = 0; i < chunks.size(); ++i) results.push_back(f(chunks[i].to(devices[i])));
  return results;
}

static torch::Tensor collect(const std::vector<torch::Tensor>& parts, torch::Device where) {
  std::vector<torch::Tensor> moved;
  moved.reserve(parts.size());
  for (const auto& part : parts) moved.push_back(part.to(where));
  return torch::cat(moved);
}

int main() {
  torch::manual_seed(6);
  auto points = torch::randn({30, 3});
  auto centres = torch::randn({4, 3});

  for (const char* list : {"0, 1", "cuda:0 , cuda:1", " GPU:1,GPU:0 ", "1"}) {
    auto gpus = parse_gpus(list);
    auto parts = map_chunks(points, gpus, [&](const torch::Tensor& p) {
      return torch::cdist(p, centres.to(p.device())).argmin(1);
    });
    auto labels = collect(parts, gpus.front());
    auto counts = torch::one_hot(labels, 4).sum(0).cpu();
    std::cout << list << ":";
    for (int k = 0; k < 4; ++k) std::cout << ' ' << counts[k].item<int64_t>();
    std::cout << std::endl;
  }
  return 0;
}
