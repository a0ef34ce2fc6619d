// A flag that a loop over the arguments sets has one value behind it.
#include <torch/torch.h>

#include <string>

struct Options {
  bool use_gpu = true;
  bool is_verbose = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--cpu") {
      options.use_gpu = false;
    } else if (argument == "--verbose") {
      options.is_verbose = true;
    }
  }
  return options;
}

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  torch::nn::Linear net(2, 2);
  auto x = torch::ones({2, 2});
  if (options.use_gpu) net->to(torch::kCUDA);
  if (options.use_gpu) x = x.to(torch::kCUDA);
  net(x);
}
