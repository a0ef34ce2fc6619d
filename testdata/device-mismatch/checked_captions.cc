// A reader that refuses files without captions, and names that the file lacks.
#include <torch/torch.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

struct Captions {
  std::unordered_map<std::string, std::vector<std::string>> by_image;
  size_t longest = 0;
};

Captions read_captions(const std::string& path) {
  std::ifstream input(path);
  if (!input) throw std::runtime_error("cannot read " + path);
  Captions captions;
  std::string line;
  while (std::getline(input, line)) {
    if (line.empty()) continue;
    if (line.size() > 2) {
      captions.by_image[line].push_back(line);
      captions.longest += 1;
    }
  }
  return captions;
}

void check(const Captions& captions, const std::vector<std::string>& images) {
  for (const auto& image : images) {
    const auto found = captions.by_image.find(image);
    if (found == captions.by_image.end()) throw std::runtime_error("no caption for " + image);
  }
}

int main(int argc, char** argv) {
  const Captions captions = read_captions(argc > 1 ? argv[1] : "captions.txt");
  check(captions, std::vector<std::string>(argv + 1, argv + argc));
  torch::nn::Linear net(4, 4);
  net->to(torch::kCUDA);
  net->forward(torch::zeros({2, 4}));  // expect: device-mismatch
}
