#include "tests/random_programs/support.h"

namespace placecheck::random_programs {
namespace {

constexpr const char* kTexts[] = {
    R"(struct Sample {
  torch::Tensor data;
  torch::Tensor label;
  Sample to(torch::Device device) const { return {data.to(device), label.to(device)}; }
  void move(torch::Device device) {
    data = data.to(device);
    label = label.to(device);
  }
};

)",
    R"(inline std::pair<torch::Tensor, torch::Tensor> split(const torch::Tensor& all,
                                                     torch::Device device) {
  return {all.to(device), all};
}

)",
    R"(inline torch::Tensor like(const torch::Tensor& value, const torch::Tensor& other) {
  if (value.device() == other.device()) return value;
  return value.to(other.device());
}

)",
    R"(inline void move_all(std::vector<torch::Tensor>& values, torch::Device device) {
  for (auto& value : values) {
    if (value.device() != device) value = value.to(device);
  }
}

)",
    R"(class Trainer {
 public:
  explicit Trainer(torch::Device device) : device_(device), layer_(4, 4) { layer_->to(device_); }
  torch::Tensor step(const torch::Tensor& input) { return layer_->forward(input.to(device_)); }
  torch::Tensor raw(const torch::Tensor& input) { return layer_->forward(input); }
  void move(torch::Device device) {
    device_ = device;
    layer_->to(device);
  }

 private:
  torch::Device device_;
  torch::nn::Linear layer_;
};

)",
    R"(class Rows : public torch::data::datasets::Dataset<Rows> {
 public:
  explicit Rows(torch::Device device) : rows_(torch::rand({8, 4}).to(device)) {}
  torch::data::Example<> get(std::size_t index) override {
    const auto row = static_cast<std::int64_t>(index);
    return {rows_[row], torch::ones({4})};
  }
  torch::optional<std::size_t> size() const override { return 8; }

 private:
  torch::Tensor rows_;
};

)",
    R"(class Cache {
 public:
  torch::Tensor get(const torch::Tensor& input) {
    if (!kept_.defined() || kept_.device() != input.device()) {
      kept_ = torch::ones({4, 4}, input.options());
    }
    return kept_;
  }
  torch::Tensor first(const torch::Tensor& input) {
    if (!first_.defined()) first_ = torch::ones({4, 4}, input.device());
    return first_;
  }

 private:
  torch::Tensor kept_;
  torch::Tensor first_;
};

)",
    R"(struct Placement {
  torch::Device model = torch::kCPU;
  torch::Device data = torch::kCPU;
  bool is_split = false;
};

inline Placement placement_of(torch::Device model, torch::Device data) {
  Placement placement;
  placement.model = model;
  placement.is_split = model != data;
  if (placement.is_split) placement.data = data;
  else placement.data = model;
  return placement;
}

)"};

static_assert(sizeof(kTexts) / sizeof(kTexts[0]) == kSupports);

}  // namespace

std::string text_of(Support support) { return kTexts[static_cast<int>(support)]; }

}  // namespace placecheck::random_programs
