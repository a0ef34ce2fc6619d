// An archive of either format is read: the older one has another name for the layers.
#include <torch/torch.h>

#include <string>

void write(torch::nn::ModuleList layers, const std::string& path, const std::string& name) {
  torch::serialize::OutputArchive archive;
  torch::serialize::OutputArchive part(archive.compilation_unit());
  layers->save(part);
  archive.write(name, part);
  archive.save_to(path);
}

void read(torch::nn::ModuleList layers, const std::string& path) {
  torch::serialize::InputArchive archive, part;
  archive.load_from(path);
  if (!archive.try_read("layers", part)) archive.read("blocks", part);
  layers->load(part);
}

int main() {
  torch::nn::ModuleList layers(torch::nn::Linear(4, 4), torch::nn::Linear(4, 2));
  write(layers, "old.pt", "blocks");
  write(layers, "new.pt", "layers");
  for (const char* path : {"old.pt", "new.pt"}) read(layers, path);
}
