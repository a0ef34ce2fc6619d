// The program looks at the names in the archive, and reads what is there.
#include <torch/torch.h>

#include <algorithm>
#include <sstream>

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::nn::Linear fc{nullptr};
};

struct Wrapper : torch::nn::Module {
  explicit Wrapper(std::shared_ptr<Net> net) { register_module("module", std::move(net)); }
};

int main() {
  std::stringstream file;
  torch::save(std::make_shared<Wrapper>(std::make_shared<Net>()), file);
  torch::serialize::InputArchive archive;
  archive.load_from(file);
  auto keys = archive.keys();
  Net net;
  if (std::find(keys.begin(), keys.end(), "module") != keys.end()) {
    torch::serialize::InputArchive inner;
    archive.read("module", inner);
    net.load(inner);
  } else {
    net.load(archive);
  }
}
