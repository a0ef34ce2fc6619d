// The device is an option among many: the two devices stay apart whatever the other options are.
#include <torch/torch.h>

#include <cstring>
#include <string>

struct Arguments {
  torch::Device device = torch::kCUDA;
  std::string data = "data", checkpoint, log, model = "small", split = "train";
  int epochs = 1;
  bool verbose = false;
};

Arguments parse(int argc, char* argv[]) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--data") == 0) arguments.data = argv[++i];
    if (std::strcmp(argv[i], "--checkpoint") == 0) arguments.checkpoint = argv[++i];
    if (std::strcmp(argv[i], "--model") == 0) arguments.model = "large";
    if (std::strcmp(argv[i], "--split") == 0) arguments.split = "test";
    if (std::strcmp(argv[i], "--log") == 0) arguments.log = "log.txt";
    if (std::strcmp(argv[i], "--epochs") == 0) arguments.epochs = std::stoi(argv[++i]);
    if (std::strcmp(argv[i], "--verbose") == 0) arguments.verbose = true;
    if (std::strcmp(argv[i], "--no-cuda") == 0) arguments.device = torch::kCPU;
  }
  return arguments;
}

int main(int argc, char* argv[]) {
  Arguments arguments = parse(argc, argv);
  torch::nn::Linear net(4, 2);
  net->to(arguments.device);
  for (int epoch = 0; epoch < arguments.epochs; ++epoch) {
    auto batch = torch::rand({8, 4});
    auto bad = net(batch);  // expect: device-mismatch
    auto good = net(batch.to(arguments.device));
  }
  return 0;
}
