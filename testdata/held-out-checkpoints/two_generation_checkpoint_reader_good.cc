#include <torch/torch.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Reads checkpoints of two generations: the old ones were written from a wrapper and have their
// model below "module", the new ones have it at the top. Both may come from another GPU.

struct Net : torch::nn::Module {
  Net() {
    a = register_module("a", torch::nn::Linear(4, 6));
    b = register_module("b", torch::nn::Linear(6, 2));
    mean = register_buffer("mean", torch::zeros({4}));
  }
  torch::Tensor forward(const torch::Tensor& x) { return b(torch::relu(a(x - mean))); }
  torch::nn::Linear a{nullptr}, b{nullptr};
  torch::Tensor mean;
};

struct Wrapper : torch::nn::Module {
  explicit Wrapper(std::shared_ptr<Net> net) { register_module("module", std::move(net)); }
};

bool has(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

void read_model(Net& net, std::istream& file, torch::Device device) {
  torch::serialize::InputArchive archive;
  archive.load_from(file, device);
  if (has(archive.keys(), "module")) {
    torch::serialize::InputArchive inner;
    archive.read("module", inner);
    net.load(inner);
  } else {
    net.load(archive);
  }
  c10::IValue note;
  if (archive.try_read("note", note)) std::cout << "note: " << note.toStringRef() << "\n";
}

int main() {
  std::stringstream old_file, new_file;
  {
    auto net = std::make_shared<Net>();
    auto wrapper = std::make_shared<Wrapper>(net);
    wrapper->to(torch::Device("cuda:1"));
    torch::save(wrapper, old_file);
  }
  {
    Net net;
    net.to(torch::Device("cuda:1"));
    torch::serialize::OutputArchive archive;
    net.save(archive);
    archive.write("note", c10::IValue(std::string("second generation")));
    archive.save_to(new_file);
  }

  torch::Device device("cuda:0");
  auto x = torch::randn({3, 4}, device);
  for (std::stringstream* file : {&old_file, &new_file}) {
    Net net;
    read_model(net, *file, device);
    net.eval();
    torch::NoGradGuard guard;
    std::cout << net.forward(x).sum().item<float>() << "\n";
  }
  return 0;
}
