// A training step, here and in libtorch, in one run and on as many threads: forward, loss,
// backward, SGD. Products of matrices are OpenBLAS's in both, on the thread that asks: its own
// threads would contend with libtorch's. The second column is the CPU time of all threads, by which
// builds can be compared on a machine that others use.
//   bazel run -c opt //runtime/bench:training_bench            (checks off)
//   bazel run -c opt //runtime/bench:checked_training_bench    (checks on)
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "runtime/runtime.h"

namespace placecheck::runtime {
namespace {

using Widths = std::vector<std::int64_t>;

const Widths kMlp = {256, 512, 512, 10};
const Widths kFooNet = {5, 5, 4, 3};

// Linear layers with a ReLU after each.
struct OurNetImpl : nn::Module {
  explicit OurNetImpl(const Widths& widths) : layers(register_module("layers", nn::Sequential())) {
    for (std::size_t i = 1; i < widths.size(); ++i) {
      layers->push_back(nn::Linear(widths[i - 1], widths[i]));
      layers->push_back(nn::ReLU());
    }
  }
  Tensor forward(const Tensor& x) { return layers(x); }
  nn::Sequential layers;
};
PLACECHECK_MODULE(OurNet);

struct TheirNet : torch::nn::Module {
  explicit TheirNet(const Widths& widths)
      : layers(register_module("layers", torch::nn::Sequential())) {
    for (std::size_t i = 1; i < widths.size(); ++i) {
      layers->push_back(torch::nn::Linear(widths[i - 1], widths[i]));
      layers->push_back(torch::nn::ReLU());
    }
  }
  torch::Tensor forward(const torch::Tensor& x) { return layers->forward(x); }
  torch::nn::Sequential layers;
};

template <typename Net>
void train_ours(benchmark::State& state, Net& net, const nn::Module& model, const Device& device,
                const Widths& widths, std::int64_t rows) {
  openblas_set_num_threads(1);
  optim::SGD optimizer(model.parameters(), optim::SGDOptions(0.01).momentum(0.9));
  Tensor x = randn({rows, widths.front()}).to(device);
  Tensor y = randn({rows, widths.back()}).to(device);
  for (auto _ : state) {
    optimizer.zero_grad();
    Tensor loss = mse_loss(net(x), y);
    loss.backward();
    optimizer.step();
    benchmark::DoNotOptimize(loss.item<float>());
  }
}

void ours_on_cpu(benchmark::State& state, const Widths& widths, std::int64_t rows) {
  OurNet model(widths);
  train_ours(state, model, *model, kCPU, widths, rows);
}

void ours_on_one_device(benchmark::State& state, const Widths& widths, std::int64_t rows) {
  OurNet model(widths);
  model->to(Device(kCUDA, 0));
  train_ours(state, model, *model, Device(kCUDA, 0), widths, rows);
}

void ours_on_two_devices(benchmark::State& state, const Widths& widths, std::int64_t rows) {
  OurNet model(widths);
  model->to(Device(kCUDA, 0));
  nn::DataParallel net(model, {0, 1});
  train_ours(state, net, *model, Device(kCUDA, 0), widths, rows);
}

void libtorch(benchmark::State& state, const Widths& widths, std::int64_t rows, int threads) {
  torch::set_num_threads(threads);
  openblas_set_num_threads(1);
  TheirNet net(widths);
  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  torch::Tensor x = torch::randn({rows, widths.front()});
  torch::Tensor y = torch::randn({rows, widths.back()});
  for (auto _ : state) {
    optimizer.zero_grad();
    torch::Tensor loss = torch::mse_loss(net.forward(x), y);
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

PLACECHECK_BENCH(libtorch, mlp_1_thread, kMlp, 128, 1);
PLACECHECK_BENCH(ours_on_cpu, mlp, kMlp, 128);
PLACECHECK_BENCH(ours_on_one_device, mlp, kMlp, 128);
PLACECHECK_BENCH(libtorch, mlp_2_threads, kMlp, 128, 2);
PLACECHECK_BENCH(ours_on_two_devices, mlp, kMlp, 128);
PLACECHECK_BENCH(libtorch, foo_net_1_thread, kFooNet, 16, 1);
PLACECHECK_BENCH(ours_on_cpu, foo_net, kFooNet, 16);
PLACECHECK_BENCH(ours_on_one_device, foo_net, kFooNet, 16);
PLACECHECK_BENCH(ours_on_two_devices, foo_net, kFooNet, 16);

}  // namespace
}  // namespace placecheck::runtime

BENCHMARK_MAIN();
