#include <torch/torch.h>

#include <iostream>
#include <sstream>
#include <vector>

// Retrieval with re-ranking: features stay on the GPU, labels and prices in host memory.

struct Catalogue {
  torch::Tensor features;  // GPU
  torch::Tensor labels;    // CPU
  torch::Tensor prices;    // CPU
};

Catalogue read_catalogue(std::istream& file, torch::Device device) {
  std::vector<torch::Tensor> columns;
  torch::load(columns, file, torch::kCPU);
  TORCH_CHECK(columns.size() == 3, "a catalogue has three columns");
  return {columns[0].to(device), columns[1], columns[2]};
}

struct Hit {
  int64_t label;
  double price;
  double distance;
};

std::vector<std::vector<Hit>> search(const Catalogue& catalogue, const torch::Tensor& queries, int64_t k) {
  auto distances = torch::cdist(queries, catalogue.features);
  auto [values, indices] = distances.topk(k, 1, false);
  values = values.cpu();
  indices = indices.cpu();
  auto labels = catalogue.labels.index({indices});
  auto prices = catalogue.prices.index_select(0, indices.flatten()).view_as(indices);

  std::vector<std::vector<Hit>> results(static_cast<size_t>(queries.size(0)));
  for (int64_t q = 0; q < queries.size(0); ++q) {
    for (int64_t i = 0; i < k; ++i) {
      results[q].push_back({labels[q][i].item<int64_t>(), prices[q][i].item<double>(), values[q][i].item<double>()});
    }
  }
  return results;
}

int main() {
  torch::manual_seed(59);
  torch::Device device("cuda:1");
  torch::nn::Sequential embedder(torch::nn::Linear(5, 12), torch::nn::GELU(), torch::nn::Linear(12, 4));
  embedder->to(device);
  embedder->eval();
  torch::NoGradGuard guard;

  std::stringstream file;
  {
    auto items = torch::randn({20, 5}, device);
    std::vector<torch::Tensor> columns{embedder->forward(items), torch::randint(0, 4, {20}, torch::kLong),
                                       torch::rand({20}) * 100};
    torch::save(columns, file);
  }

  const Catalogue catalogue = read_catalogue(file, device);
  auto queries = embedder->forward(torch::randn({2, 5}).to(device));
  int q = 0;
  for (const auto& hits : search(catalogue, queries, 3)) {
    std::cout << "query " << q++ << "\n";
    for (const Hit& hit : hits) {
      std::cout << "  label " << hit.label << " price " << hit.price << " distance " << hit.distance << "\n";
    }
  }
  return 0;
}
