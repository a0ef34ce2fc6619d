// An archive within the archive is no part of the names of its entries.
#include <torch/torch.h>

int main() {
  torch::nn::Linear net(4, 2);
  {
    torch::serialize::OutputArchive root;
    torch::serialize::OutputArchive model(root.compilation_unit()), meta(root.compilation_unit());
    net->save(model);
    root.write("model", model);
    meta.write("epoch", torch::tensor(3));
    root.write("meta", meta);
    root.save_to("path_in_archive.pt");
  }
  torch::serialize::InputArchive root, model;
  root.load_from("path_in_archive.pt", torch::Device(torch::kCPU));
  root.read("model", model);
  net->load(model);
  torch::Tensor epoch;
  root.read("meta.epoch", epoch);  // expect: missing-key
}
