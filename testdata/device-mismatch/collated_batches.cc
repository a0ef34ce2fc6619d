// Batches are put together by the project's own collation, of what its data set reads.
#include <torch/torch.h>

#include <functional>
#include <vector>

struct Caption {
  torch::Tensor image;
  torch::Tensor words;
};

struct Captions : torch::data::datasets::Dataset<Captions, Caption> {
  Caption get(size_t) override {
    return {torch::zeros({3, 8, 8}), torch::zeros({5}, torch::kLong)};
  }
  torch::optional<size_t> size() const override { return 8; }
};

struct Batch {
  torch::Tensor images;
  torch::Tensor words;
};

struct Stacked : torch::data::transforms::Collation<Batch, std::vector<Caption>> {
  Batch apply_batch(std::vector<Caption> captions) override {
    std::vector<torch::Tensor> images, words;
    for (const Caption& each : captions) {
      images.push_back(each.image);
      words.push_back(each.words);
    }
    return {torch::stack(images), torch::stack(words)};
  }
};

torch::Tensor read(const std::function<torch::Tensor(torch::Tensor)>& transform) {
  return transform(torch::rand({3, 8, 8}));
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Embedding embedding(10, 4);
  embedding->to(device);
  torch::nn::Conv2d conv(torch::nn::Conv2dOptions(3, 4, 3));
  conv->to(device);
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      Captions().map(Stacked()), torch::data::DataLoaderOptions(4));
  for (auto& batch : *loader) {
    conv->forward(batch.images.to(device));
    embedding->forward(batch.words.to(device));
    embedding->forward(batch.words);  // expect: device-mismatch
    conv->forward(batch.images);      // expect: device-mismatch
  }
  torch::data::transforms::Normalize<> normalize({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5});
  conv->forward(read(normalize).to(device).unsqueeze(0));
  conv->forward(read(normalize).unsqueeze(0));  // expect: device-mismatch
}
