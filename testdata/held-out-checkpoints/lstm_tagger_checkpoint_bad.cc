#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <string>

struct LstmTaggerImpl : torch::nn::Module {
  LstmTaggerImpl(int64_t vocabulary, int64_t dim, int64_t tags)
      : embedding(vocabulary, dim), lstm(torch::nn::LSTMOptions(dim, dim).batch_first(true)),
        linear(dim, tags) {
    register_module("embedding", embedding);
    register_module("lstm", lstm);
    register_module("linear", linear);
  }
  torch::Tensor forward(torch::Tensor tokens) {
    auto output = std::get<0>(lstm->forward(embedding->forward(tokens)));
    return linear->forward(output);
  }
  torch::nn::Embedding embedding;
  torch::nn::LSTM lstm;
  torch::nn::Linear linear;
};
TORCH_MODULE(LstmTagger);

void save_checkpoint(const std::string& path, LstmTagger& model, torch::optim::Optimizer& optimizer,
                     int64_t epoch) {
  torch::serialize::OutputArchive archive, model_archive, optimizer_archive;
  model->save(model_archive);
  optimizer.save(optimizer_archive);
  archive.write("epoch", torch::tensor(epoch));
  archive.write("model", model_archive);
  archive.write("optimizer", optimizer_archive);
  archive.save_to(path);
}

int64_t load_checkpoint(const std::string& path, LstmTagger& model,
                        torch::optim::Optimizer& optimizer, torch::Device device) {
  torch::serialize::InputArchive archive, nested;
  archive.load_from(path, device);
  torch::Tensor epoch;
  archive.read("epoch", epoch);
  archive.read("net", nested); // expect: missing-key
  model->load(nested);
  torch::serialize::InputArchive state;
  archive.read("optimizer", state);
  optimizer.load(state);
  return epoch.item<int64_t>();
}

void train(LstmTagger& model, torch::optim::Optimizer& optimizer, torch::Device device) {
  auto tokens = torch::randint(0, 20, {4, 6}, torch::kLong).to(device);
  auto tags = tokens.remainder(3);
  optimizer.zero_grad();
  auto logits = model->forward(tokens).view({-1, 3});
  auto loss = torch::nn::functional::cross_entropy(logits, tags.view(-1));
  loss.backward();
  optimizer.step();
  std::cout << "loss " << loss.item<float>() << std::endl;
}

int main() {
  torch::manual_seed(15);
  const std::string path = "/tmp/tagger.ckpt";
  torch::Device device("cuda");

  LstmTagger model(20, 8, 3);
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  for (int64_t epoch = 0; epoch < 2; ++epoch) {
    train(model, optimizer, device);
    save_checkpoint(path, model, optimizer, epoch);
  }

  LstmTagger resumed(20, 8, 3);
  resumed->to(device);
  torch::optim::SGD again(resumed->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  auto start = load_checkpoint(path, resumed, again, device) + 1;
  for (auto epoch = start; epoch < start + 2; ++epoch) train(resumed, again, device);
  std::remove(path.c_str());
}
