// The card with the most free memory becomes the first: the main one. The amounts come from the
// query tool; without it the order stays as it is, and the program says so.
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

std::vector<long> free_memory() {
  std::vector<long> amounts;
  FILE* tool =
      popen("nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits 2>/dev/null", "r");
  if (!tool) return amounts;
  char line[64];
  while (std::fgets(line, sizeof line, tool)) amounts.push_back(std::atol(line));
  pclose(tool);
  return amounts;
}

std::string by_free_memory(const std::vector<long>& amounts) {
  std::vector<size_t> order(amounts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return amounts[a] > amounts[b]; });
  std::string list;
  for (size_t card : order) list += (list.empty() ? "" : ",") + std::to_string(card);
  return list;
}

int main() {
  std::cout << by_free_memory({10362, 10058, 9990, 9990}) << '\n';
  std::vector<long> amounts = free_memory();
  if (amounts.empty()) {
    std::cout << "no query tool: the cards keep their order\n";
  } else {
    setenv("CUDA_VISIBLE_DEVICES", by_free_memory(amounts).c_str(), 1);
  }
  torch::Device main_device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear net(4, 2);
  net->to(main_device);
  std::cout << net(torch::rand({3, 4}).to(main_device)).sizes() << '\n';
}
