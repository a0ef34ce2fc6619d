#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

// Input statistics are computed once over the training set (on the GPU, it is faster there) and
// kept in a file. The loader threads normalise each sample before it is sent to the card.

struct Sample {
  torch::Tensor image;
  int64_t label;
};

class FakeImages {
 public:
  explicit FakeImages(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      samples_.push_back({torch::rand({3, 4, 4}) * 255, static_cast<int64_t>(i % 4)});
    }
  }
  size_t size() const { return samples_.size(); }
  const Sample& operator[](size_t i) const { return samples_[i]; }

 private:
  std::vector<Sample> samples_;
};

void compute_statistics(const FakeImages& images, torch::Device device, const std::string& path) {
  std::vector<torch::Tensor> all;
  for (size_t i = 0; i < images.size(); ++i) all.push_back(images[i].image.to(device));
  auto stacked = torch::stack(all);
  auto mean = stacked.mean(std::vector<int64_t>{0, 2, 3}).view({3, 1, 1});
  auto deviation = stacked.std(std::vector<int64_t>{0, 2, 3}).view({3, 1, 1});
  torch::save(std::vector<torch::Tensor>{mean, deviation}, path);
}

class Normalizer {
 public:
  explicit Normalizer(const std::string& path) {
    std::vector<torch::Tensor> statistics;
    torch::load(statistics, path); // expect: missing-map-location
    mean_ = statistics.at(0);
    deviation_ = statistics.at(1);
  }
  torch::Tensor operator()(const torch::Tensor& image) const {
    return (image - mean_) / deviation_;
  }

 private:
  torch::Tensor mean_, deviation_;
};

int main() {
  torch::manual_seed(5);
  const torch::Device device("cuda:0");
  const std::string path = "/tmp/image_statistics.pt";
  FakeImages images(12);

  compute_statistics(images, device, path);
  Normalizer normalize(path);

  torch::nn::Sequential net(torch::nn::Flatten(), torch::nn::Linear(48, 4));
  net->to(device);

  std::vector<torch::Tensor> batch;
  for (size_t i = 0; i < images.size(); ++i) {
    batch.push_back(normalize(images[i].image));
  }
  auto output = net->forward(torch::stack(batch).to(device));
  std::cout << "predictions " << output.argmax(1).cpu() << "\n";
  std::remove(path.c_str());
}
