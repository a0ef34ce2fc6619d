// What was decided once is decided, however often and in whatever words it is asked again.
#include <torch/torch.h>

struct Args {
  bool use_cuda = false;
  int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0;
};

int many_conditions(const Args& args) {
  torch::nn::Linear net(4, 4);
  auto x = torch::rand({2, 4});
  if (args.use_cuda) net->to(torch::kCUDA);
  if (args.a < 0) return 1;
  if (args.b < 0) return 1;
  if (args.c < 0) return 1;
  if (args.d < 0) return 1;
  if (args.e < 0) return 1;
  if (args.f < 0) return 1;
  if (args.g < 0) return 1;
  if (args.h < 0) return 1;
  if (args.i < 0) return 1;
  if (args.j < 0) return 1;
  if (args.k < 0) return 1;
  if (args.l < 0) return 1;
  if (args.use_cuda) x = x.to(torch::kCUDA);
  auto y = net->forward(x);
  return 0;
}

void first_iteration(int begin, int end) {
  auto x = torch::rand({2, 4});
  auto there = torch::rand({2, 4}, torch::kCUDA);
  for (int i = begin; i < end; ++i) {
    if (i == begin) x = x.to(torch::kCUDA);
    auto y = x + there;
  }
}

void other_words(int devices) {
  torch::nn::Linear net(4, 4);
  auto x = torch::rand({2, 4});
  if (devices > 0) net->to(torch::kCUDA);
  if (devices >= 1) x = x.to(torch::kCUDA);
  if (devices == 0) x = x.to(torch::kCPU);
  auto y = net->forward(x);
}

void move_when_done(torch::nn::Linear& net, int steps) {
  if (steps == 0) {
    net->to(torch::kCUDA);
    return;
  }
  move_when_done(net, steps - 1);
}

void by_recursion(int steps) {
  torch::nn::Linear net(4, 4);
  move_when_done(net, steps);
  auto y = net->forward(torch::rand({2, 4}, torch::kCUDA));
}

int main(int argc, char**) {
  Args args;
  many_conditions(args);
  args.use_cuda = true;
  many_conditions(args);
  first_iteration(argc, argc + 2);
  other_words(argc - 1);
  other_words(argc);
  by_recursion(argc);
}
