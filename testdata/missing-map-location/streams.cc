// What is read from a stream is where it was when it was written there.
#include <torch/torch.h>

#include <fstream>
#include <sstream>
#include <string>

struct Statistics {
  torch::Tensor mean;

  void save(std::ostream& out) const {
    torch::serialize::OutputArchive archive;
    archive.write("mean", mean);
    archive.save_to(out);
  }

  void load(std::istream& in) {
    torch::serialize::InputArchive archive;
    archive.load_from(in);
    archive.read("mean", mean);  // expect: missing-map-location
  }
};

void in_memory(const torch::Tensor& batch) {
  std::stringstream stream;
  Statistics{torch::zeros({4})}.save(stream);
  Statistics statistics;
  statistics.load(stream);
  auto centred = batch - statistics.mean;
}

void by_text(const torch::Tensor& batch) {
  std::ostringstream out;
  torch::save(torch::zeros({4}), out);
  std::istringstream in(out.str());
  torch::Tensor mean;
  torch::load(mean, in);  // expect: missing-map-location
  auto centred = batch - mean;
}

void by_file(const torch::Tensor& batch, const std::string& path) {
  {
    std::ofstream out(path, std::ios::binary);
    torch::save(torch::zeros({4}), out);
  }
  std::ifstream in(path, std::ios::binary);
  torch::Tensor mean;
  torch::load(mean, in);  // expect: missing-map-location
  auto centred = batch - mean;
}

int main() {
  const auto batch = torch::rand({8, 4}, torch::kCUDA);
  in_memory(batch);
  by_text(batch);
  by_file(batch, "streams.pt");
}
