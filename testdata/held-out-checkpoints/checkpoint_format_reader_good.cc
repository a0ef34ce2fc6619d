#include <torch/torch.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>

using torch::serialize::InputArchive;
using torch::serialize::OutputArchive;

// Checkpoint format 2 holds the net under "net"; format 1 had it at the top level.

struct SmallNet : torch::nn::Module {
  SmallNet() {
    a = register_module("a", torch::nn::Linear(3, 9));
    b = register_module("b", torch::nn::Linear(9, 3));
    steps = register_buffer("steps", torch::zeros({1}, torch::kLong));
  }
  torch::Tensor forward(torch::Tensor x) {
    steps += 1;
    return b(torch::silu(a(x)));
  }
  torch::nn::Linear a{nullptr}, b{nullptr};
  torch::Tensor steps;
};

std::string write_old(const SmallNet& net) {
  OutputArchive archive;
  net.save(archive);
  std::ostringstream stream;
  archive.save_to(stream);
  return stream.str();
}

std::string write_new(const SmallNet& net, double best) {
  OutputArchive archive, inner;
  net.save(inner);
  archive.write("net", inner);
  archive.write("best", torch::tensor(best), /*is_buffer=*/true);
  std::ostringstream stream;
  archive.save_to(stream);
  return stream.str();
}

void read_any(const std::string& bytes, SmallNet& net, torch::Device device) {
  std::istringstream stream(bytes);
  InputArchive archive;
  archive.load_from(stream, device);
  auto keys = archive.keys();
  bool is_new = std::find(keys.begin(), keys.end(), "net") != keys.end();
  if (is_new) {
    InputArchive inner;
    archive.read("net", inner);
    net.load(inner);
  } else {
    net.load(archive);
  }
  torch::Tensor best;
  if (archive.try_read("best", best, true)) {
    std::cout << "best so far " << best.item<float>() << "\n";
  } else {
    std::cout << "no best value in this file\n";
  }
}

int main() {
  torch::manual_seed(21);
  SmallNet source;
  source.to(torch::Device("cuda:0"));
  source.forward(torch::randn({2, 3}, torch::Device("cuda:0")));

  const torch::Device target("cuda:1");
  for (const auto& bytes : {write_old(source), write_new(source, 0.75)}) {
    SmallNet net;
    read_any(bytes, net, target);
    auto y = net.forward(torch::ones({1, 3}, target));
    std::cout << y.cpu() << " after " << net.named_buffers()["steps"].item<int64_t>() << " steps\n";
  }
}
