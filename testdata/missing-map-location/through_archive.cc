// The same by way of an archive.
#include <torch/torch.h>

int main() {
  torch::nn::Linear trained(4, 2);
  torch::save(trained, "net.pt");
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 2);
  net->to(device);
  torch::serialize::InputArchive archive;
  archive.load_from("net.pt");
  net->load(archive);  // expect: missing-map-location
  auto y = net->forward(torch::rand({3, 4}, device));

  torch::nn::Linear host(4, 2);
  torch::serialize::OutputArchive output;
  host->save(output);
  output.save_to("host.pt");
  torch::nn::Linear again(4, 2);
  torch::load(again, "host.pt");  // expect: missing-map-location
  auto z = again->forward(torch::rand({3, 4}, device));
}
