#include <torch/torch.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Pipeline over two GPUs with a checkpoint that has an entry for each stage.

class Pipeline {
 public:
  explicit Pipeline(std::vector<torch::Device> devices) : devices_(std::move(devices)) {
    stages_.push_back(torch::nn::Sequential(torch::nn::Linear(6, 12), torch::nn::ReLU()));
    for (size_t i = 1; i + 1 < devices_.size(); ++i) {
      stages_.push_back(torch::nn::Sequential(torch::nn::Linear(12, 12), torch::nn::ReLU()));
    }
    stages_.push_back(torch::nn::Sequential(torch::nn::Linear(12, 2)));
    for (size_t i = 0; i < stages_.size(); ++i) stages_[i]->to(devices_[i]);
  }

  torch::Tensor forward(torch::Tensor x) {
    for (size_t i = 0; i < stages_.size(); ++i) x = stages_[i]->forward(x.to(devices_[i]));
    return x;
  }

  std::vector<torch::Tensor> parameters() const {
    std::vector<torch::Tensor> all;
    for (const auto& stage : stages_) {
      for (auto& p : stage->parameters()) all.push_back(p);
    }
    return all;
  }

  std::string save() const {
    torch::serialize::OutputArchive archive;
    int number = 1;
    for (const auto& stage : stages_) {
      torch::serialize::OutputArchive entry;
      stage->save(entry);
      archive.write("stage" + std::to_string(number++), entry);
    }
    std::ostringstream out;
    archive.save_to(out);
    return out.str();
  }

  void load(const std::string& bytes) {
    std::istringstream in(bytes);
    torch::serialize::InputArchive archive;
    archive.load_from(in, torch::Device(torch::kCPU));
    for (size_t i = 0; i < stages_.size(); ++i) {
      torch::serialize::InputArchive entry;
      archive.read("stage" + std::to_string(i), entry); // expect: missing-key
      stages_[i]->load(entry);
      stages_[i]->to(devices_[i]);
    }
  }

  torch::Device output_device() const { return devices_.back(); }

 private:
  std::vector<torch::Device> devices_;
  std::vector<torch::nn::Sequential> stages_;
};

int main() {
  torch::manual_seed(44);
  Pipeline pipeline({torch::Device("cuda:0"), torch::Device("cuda:1")});
  torch::optim::SGD optimizer(pipeline.parameters(), 0.1);
  auto x = torch::randn({12, 6});
  auto y = x.select(1, 2).gt(0).to(torch::kLong).to(pipeline.output_device());
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(pipeline.forward(x), y);
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
  const auto before = pipeline.forward(x).detach().cpu();
  const auto checkpoint = pipeline.save();

  // Turned around: the first stage on the second GPU.
  Pipeline turned({torch::Device("cuda:1"), torch::Device("cuda:0")});
  turned.load(checkpoint);
  const auto after = turned.forward(x).detach().cpu();
  std::cout << "same output: " << torch::allclose(before, after, 1e-4, 1e-5) << "\n";
}
