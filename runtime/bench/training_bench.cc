// A training step, here and in libtorch, in one run and on as many threads: forward, loss,
// backward, SGD. Products of matrices are OpenBLAS's in both, on the thread that asks: its own
// threads would contend with libtorch's. The second column is the CPU time of all threads, by which
// builds can be compared on a machine that others use.
//   bazel run -c opt //runtime/bench:training_bench            (checks off)
//   bazel run -c opt //runtime/bench:checked_training_bench    (checks on)
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <torch/torch.h>

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/runtime.h"

namespace placecheck::runtime {
namespace {

// What is learned, and by which net.
struct Problem {
  std::vector<std::int64_t> input;
  std::vector<std::int64_t> target;
  nn::Sequential (*ours)();
  torch::nn::Sequential (*theirs)();
};

Shape shape(const std::vector<std::int64_t>& sizes) {
  Shape result;
  for (std::int64_t size : sizes) result.push_back(size);
  return result;
}

// Linear layers with a ReLU after each, of either library.
template <typename Sequential, typename Linear, typename ReLU, std::int64_t... kWidths>
Sequential dense() {
  constexpr std::array<std::int64_t, sizeof...(kWidths)> kSizes = {kWidths...};
  Sequential net;
  for (std::size_t i = 1; i < kSizes.size(); ++i) {
    net->push_back(Linear(kSizes[i - 1], kSizes[i]));
    net->push_back(ReLU());
  }
  return net;
}

nn::Sequential our_cnn() {
  return nn::Sequential(nn::Conv2d(1, 8, 3), nn::ReLU(), nn::MaxPool2d(2), nn::Conv2d(8, 16, 3),
                        nn::ReLU(), nn::MaxPool2d(2), nn::Flatten(), nn::Linear(400, 10));
}

torch::nn::Sequential their_cnn() {
  namespace theirs = torch::nn;
  return theirs::Sequential(theirs::Conv2d(1, 8, 3), theirs::ReLU(), theirs::MaxPool2d(2),
                            theirs::Conv2d(8, 16, 3), theirs::ReLU(), theirs::MaxPool2d(2),
                            theirs::Flatten(), theirs::Linear(400, 10));
}

template <std::int64_t... kWidths>
Problem dense_problem(std::int64_t rows, std::int64_t in, std::int64_t out) {
  return {{rows, in},
          {rows, out},
          &dense<nn::Sequential, nn::Linear, nn::ReLU, kWidths...>,
          &dense<torch::nn::Sequential, torch::nn::Linear, torch::nn::ReLU, kWidths...>};
}

Problem mlp() { return dense_problem<256, 512, 512, 10>(128, 256, 10); }
Problem foo_net() { return dense_problem<5, 5, 4, 3>(16, 5, 3); }
Problem cnn() { return {{32, 1, 28, 28}, {32, 10}, &our_cnn, &their_cnn}; }

template <typename Net>
void train_ours(benchmark::State& state, Net& net, const nn::Module& model, const Device& device,
                const Problem& problem) {
  openblas_set_num_threads(1);
  optim::SGD optimizer(model.parameters(), optim::SGDOptions(0.01).momentum(0.9));
  Tensor x = randn(shape(problem.input)).to(device);
  Tensor y = randn(shape(problem.target)).to(device);
  for (auto _ : state) {
    optimizer.zero_grad();
    Tensor loss = mse_loss(net(x), y);
    loss.backward();
    optimizer.step();
    benchmark::DoNotOptimize(loss.item<float>());
  }
}

void ours_on_cpu(benchmark::State& state, const Problem& problem) {
  nn::Sequential model = problem.ours();
  train_ours(state, model, *model, kCPU, problem);
}

void ours_on_one_device(benchmark::State& state, const Problem& problem) {
  nn::Sequential model = problem.ours();
  model->to(Device(kCUDA, 0));
  train_ours(state, model, *model, Device(kCUDA, 0), problem);
}

void ours_on_two_devices(benchmark::State& state, const Problem& problem) {
  nn::Sequential model = problem.ours();
  model->to(Device(kCUDA, 0));
  nn::DataParallel net(model, {0, 1});
  train_ours(state, net, *model, Device(kCUDA, 0), problem);
}

void libtorch(benchmark::State& state, const Problem& problem, int threads) {
  torch::set_num_threads(threads);
  openblas_set_num_threads(1);
  torch::nn::Sequential net = problem.theirs();
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  torch::Tensor x = torch::randn(problem.input);
  torch::Tensor y = torch::randn(problem.target);
  for (auto _ : state) {
    optimizer.zero_grad();
    torch::Tensor loss = torch::mse_loss(net->forward(x), y);
    loss.backward();
    optimizer.step();
    benchmark::DoNotOptimize(loss.item<float>());
  }
}

#define PLACECHECK_BENCH(function, ...)    \
  BENCHMARK_CAPTURE(function, __VA_ARGS__) \
      ->UseRealTime()                      \
      ->MeasureProcessCPUTime()            \
      ->Unit(benchmark::kMicrosecond)

#define PLACECHECK_BENCH_ALL(problem)                            \
  PLACECHECK_BENCH(libtorch, problem##_1_thread, problem(), 1);  \
  PLACECHECK_BENCH(ours_on_cpu, problem, problem());             \
  PLACECHECK_BENCH(ours_on_one_device, problem, problem());      \
  PLACECHECK_BENCH(libtorch, problem##_2_threads, problem(), 2); \
  PLACECHECK_BENCH(ours_on_two_devices, problem, problem())

PLACECHECK_BENCH_ALL(mlp);
PLACECHECK_BENCH_ALL(foo_net);
PLACECHECK_BENCH_ALL(cnn);

}  // namespace
}  // namespace placecheck::runtime

BENCHMARK_MAIN();
