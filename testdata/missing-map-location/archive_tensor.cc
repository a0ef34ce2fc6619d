// A tensor that is read from an archive is where it was saved.
#include <torch/torch.h>

int main() {
  torch::nn::Linear net(4, 2);
  net->to(torch::kCUDA);
  torch::serialize::OutputArchive saved;
  net->save(saved);
  saved.save_to("archive_tensor.pt");

  torch::serialize::InputArchive archive;
  archive.load_from("archive_tensor.pt");
  torch::Tensor weight;
  archive.read("weight", weight);  // expect: missing-map-location
  auto scaled = weight + torch::rand({2, 4});
}
