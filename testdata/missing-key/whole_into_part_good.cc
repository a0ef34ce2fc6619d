// The part is saved by itself; and a file that does not fit is foreseen.
#include <torch/torch.h>

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() { hidden = register_module("hidden", torch::nn::Linear(4, 8)); }
  torch::nn::Linear hidden{nullptr};
};
TORCH_MODULE(Encoder);

struct ClassifierImpl : torch::nn::Module {
  explicit ClassifierImpl(Encoder body)
      : encoder(register_module("encoder", body)),
        head(register_module("head", torch::nn::Linear(8, 2))) {}
  Encoder encoder;
  torch::nn::Linear head;
};
TORCH_MODULE(Classifier);

bool try_to_load(Encoder& body, const std::string& path) {
  try {
    torch::load(body, path);
  } catch (const c10::Error&) {
    return false;
  }
  return true;
}

int main() {
  Classifier pretrained(Encoder{});
  torch::save(pretrained, "whole_into_part_good.pt");
  torch::save(pretrained->encoder, "part_alone_good.pt");
  Encoder body;
  if (!try_to_load(body, "whole_into_part_good.pt")) torch::load(body, "part_alone_good.pt");
  Classifier restored(Encoder{});
  torch::load(restored, "whole_into_part_good.pt");
}
