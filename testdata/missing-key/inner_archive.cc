// The module's archive is one within that of the checkpoint.
#include <torch/torch.h>

int main() {
  torch::nn::Sequential net(torch::nn::Linear(4, 8), torch::nn::Linear(8, 2));
  {
    torch::serialize::OutputArchive root;
    torch::serialize::OutputArchive weights(root.compilation_unit());
    net->save(weights);
    root.write("model", weights);
    root.save_to("inner_archive.pt");
  }
  torch::serialize::InputArchive root;
  root.load_from("inner_archive.pt", torch::Device(torch::kCPU));
  net->load(root);  // expect: missing-key
}
