// Entries that were written, that are tried, and those of an archive of which not all is known.
#include <torch/torch.h>

#include <iostream>
#include <string>

void write_more(torch::serialize::OutputArchive& archive, const std::string& key) {
  archive.write(key, torch::ones({2}));
}

int main(int argc, char** argv) {
  torch::nn::Linear net(4, 2);
  torch::optim::Adam optimizer(net->parameters(), 0.1);
  {
    torch::serialize::OutputArchive archive, model, state;
    net->save(model);
    optimizer.save(state);
    archive.write("model", model);
    archive.write("optimizer", state);
    archive.write("mean", torch::zeros({4}));
    archive.write("epoch", c10::IValue(int64_t{3}));
    archive.save_to("archive_entry_good.pt");
  }
  torch::serialize::InputArchive archive, model, state, other;
  archive.load_from("archive_entry_good.pt");
  archive.read("model", model);
  archive.read("optimizer", state);
  torch::Tensor mean, deviation;
  archive.read("mean", mean);
  c10::IValue epoch;
  archive.read("epoch", epoch);
  if (archive.try_read("net", other)) std::cout << "an old file\n";
  if (archive.try_read("deviation", deviation)) std::cout << deviation << '\n';

  torch::serialize::OutputArchive extended;
  write_more(extended, argc > 3 ? argv[3] : "scale");
  extended.save_to("archive_entry_extended.pt");
  torch::serialize::InputArchive read_back;
  read_back.load_from("archive_entry_extended.pt");
  torch::Tensor scale;
  read_back.read("scale", scale);
}
