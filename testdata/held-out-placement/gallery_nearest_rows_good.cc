#include <torch/torch.h>

#include <iostream>
#include <vector>

// Compares a batch against galleries that are kept on different devices.

static bool same_place(const torch::Device& a, const torch::Device& b) {
  if (a.type() != b.type()) return false;
  return !a.has_index() || !b.has_index() || a.index() == b.index();
}

struct Gallery {
  torch::Tensor rows;

  torch::Device device() const { return rows.device(); }

  // Nearest rows; the answer is where the gallery is.
  torch::Tensor nearest(torch::Tensor queries) const {
    if (queries.device() != rows.device()) queries = queries.to(rows.device());
    return torch::cdist(queries, rows).argmin(1);
  }
};

static torch::Tensor on_host(const torch::Tensor& t) { return t.is_cuda() ? t.cpu() : t; }

int main() {
  torch::manual_seed(58);
  torch::NoGradGuard no_grad;
  auto all = torch::randn({60, 4});
  auto parts = all.split(20);

  std::vector<Gallery> galleries = {{parts[0]}, {parts[1].to(torch::kCUDA)}, {parts[2].to("cuda:1")}};
  auto queries = torch::randn({7, 4}, torch::Device(torch::kCUDA, 1));

  std::vector<torch::Tensor> candidates;
  int resident = 0;
  for (const auto& gallery : galleries) {
    resident += same_place(gallery.device(), torch::Device(torch::kCUDA));
    auto index = gallery.nearest(queries);
    candidates.push_back(gallery.rows.index_select(0, index).to(queries.device()));
    std::cout << gallery.device() << " nearest of the first query: " << index[0].item<int64_t>() << "\n";
  }
  std::cout << resident << " galleries on GPUs\n";

  auto stacked = torch::stack(candidates);                       // [galleries, queries, width]
  auto distance = (stacked - queries.unsqueeze(0)).norm(2, -1);  // [galleries, queries]
  auto best = on_host(distance.argmin(0));
  auto expected = torch::cdist(on_host(queries), all).argmin(1).div(20, "floor");
  std::cout << "agreement " << best.eq(expected).to(torch::kFloat).mean().item<float>() << std::endl;
  return 0;
}
