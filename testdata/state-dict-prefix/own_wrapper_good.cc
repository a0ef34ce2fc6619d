// Wrappers whose names differ from run to run do not meet; what one writes, the same one reads.
#include <torch/torch.h>

#include <memory>
#include <string>

struct SegmenterImpl : torch::nn::Module {
  SegmenterImpl() {
    down = register_module("down", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 6, 3).padding(1)));
    up = register_module("up", torch::nn::Conv2d(torch::nn::Conv2dOptions(6, 2, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return up(torch::relu(down(x))); }

  torch::nn::Conv2d down{nullptr}, up{nullptr};
};
TORCH_MODULE(Segmenter);

// Saves and loads as if it were not there.
class Transparent : public torch::nn::Module {
 public:
  explicit Transparent(Segmenter net) : net_(register_module("module", net)) {}
  torch::Tensor forward(torch::Tensor x) { return net_->forward(x); }
  void save(torch::serialize::OutputArchive& archive) const override { net_->save(archive); }
  void load(torch::serialize::InputArchive& archive) override { net_->load(archive); }

 private:
  Segmenter net_;
};

// The net is called `module` by its parent, on both sides.
struct PipelineImpl : torch::nn::Module {
  PipelineImpl() { module = register_module("module", Segmenter()); }
  Segmenter module{nullptr};
};
TORCH_MODULE(Pipeline);

int main() {
  Segmenter inner, bare;
  auto transparent = std::make_shared<Transparent>(inner);
  torch::save(transparent, "transparent.pt");
  torch::load(bare, "transparent.pt");
  torch::save(bare, "bare.pt");
  torch::load(transparent, "bare.pt");

  Pipeline written, read;
  torch::save(written, "pipeline.pt");
  torch::load(read, "pipeline.pt");
}
