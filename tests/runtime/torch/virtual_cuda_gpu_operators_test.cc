// Operators that every GPU has and a CPU lacks, or has for fewer types: 16-bit floating types, loss
// scaling, fused Adam, batch normalisation over devices; and sparse tensors.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/runtime/torch/messages.h"

namespace placecheck {
namespace {

using torch::Device;
using torch::Tensor;
namespace f = torch::nn::functional;

const Device kGpu("cuda:1");

// What `compute` gives in `type` on the device, and in float, rounded, on the CPU.
void expect_rounded(at::ScalarType type, const std::function<Tensor(const Tensor&)>& compute) {
  torch::manual_seed(3);
  const Tensor x = (torch::rand({4, 6}) + 0.5).to(type);
  const Tensor wide = x.to(torch::kFloat).requires_grad_();
  const Tensor narrow = x.to(kGpu).requires_grad_();
  const Tensor expected = compute(wide);
  const Tensor actual = compute(narrow);
  EXPECT_EQ(actual.scalar_type(), type);
  EXPECT_TRUE(
      torch::allclose(actual.detach().cpu().to(torch::kFloat), expected.detach(), 2e-2, 2e-2));
  expected.sum().backward();
  actual.sum().backward();
  EXPECT_EQ(narrow.grad().scalar_type(), type);
  EXPECT_TRUE(torch::allclose(narrow.grad().cpu().to(torch::kFloat), wide.grad(), 2e-2, 2e-2));
}

TEST(VirtualCudaGpuOperators, HalfIsComputed) {
  expect_rounded(torch::kHalf, [](const Tensor& x) { return torch::mm(x, x.t()); });
  expect_rounded(torch::kHalf, [](const Tensor& x) { return x.softmax(1); });
  expect_rounded(torch::kHalf, [](const Tensor& x) { return f::gelu(x); });
  expect_rounded(torch::kHalf,
                 [](const Tensor& x) { return f::layer_norm(x, f::LayerNormFuncOptions({6})); });
  expect_rounded(torch::kHalf, [](const Tensor& x) { return x.exp() + x.log(); });
  expect_rounded(torch::kHalf, [](const Tensor& x) {
    return torch::conv1d(x.view({1, 4, 6}), torch::ones({2, 4, 3}, x.options()).detach());
  });
}

TEST(VirtualCudaGpuOperators, HalfIsComputedWhereTheCpuSaysOtherwiseThatItLacksIt) {
  const Tensor x = torch::rand({8, 8}, kGpu).to(torch::kHalf);
  EXPECT_EQ(at::fft_rfft(x).scalar_type(), torch::kComplexHalf);
  EXPECT_TRUE(torch::allclose(at::fft_irfft(at::fft_rfft(x)).to(torch::kFloat), x.to(torch::kFloat),
                              1e-2, 1e-2));
  EXPECT_EQ(torch::multinomial(x, 2).sizes(), (std::vector<std::int64_t>{8, 2}));
  expect_rounded(torch::kHalf, [](const Tensor& image) {
    const Tensor grid = torch::zeros({1, 2, 2, 2}, image.options());
    return at::grid_sampler_2d(image.view({1, 1, 4, 6}), grid, 0, 0, false);
  });
}

TEST(VirtualCudaGpuOperators, SparseTensorsOfHalfAreAdded) {
  const Tensor places = torch::tensor({{0, 1, 1}, {2, 0, 2}}, torch::kLong).to(kGpu);
  const Tensor values = torch::tensor({3.0, 4.0, 5.0}).to(kGpu).to(torch::kHalf);
  Tensor sparse = torch::sparse_coo_tensor(places, values, {2, 3});
  EXPECT_EQ((sparse + sparse).scalar_type(), torch::kHalf);
  EXPECT_EQ((sparse + sparse).to_dense().sum().item<float>(), 24.0F);
  sparse.add_(sparse);
  EXPECT_EQ(sparse.to_dense().sum().item<float>(), 24.0F);
}

TEST(VirtualCudaGpuOperators, HalfIsWrittenInPlace) {
  const Tensor x = torch::ones({3, 3}, kGpu).to(torch::kHalf);
  Tensor sum = torch::zeros({3, 3}, x.options());
  sum.addmm_(x, x);
  EXPECT_EQ(sum.sum().item<float>(), 27.0F);
  torch::mm_out(sum, x, x * 2);
  EXPECT_EQ(sum.sum().item<float>(), 54.0F);
}

TEST(VirtualCudaGpuOperators, LossesAreScaled) {
  Tensor gradient = torch::full({3}, 8.0, kGpu);
  Tensor found = torch::zeros({1}, kGpu);
  const Tensor inverse = torch::full({1}, 0.25, kGpu);
  at::_amp_foreach_non_finite_check_and_unscale_({gradient}, found, inverse);
  EXPECT_EQ(gradient[0].item<float>(), 2.0F);
  EXPECT_EQ(found.item<float>(), 0.0F);
  Tensor scale = torch::full({1}, 4.0, kGpu);
  Tensor tracker = torch::zeros({1}, torch::dtype(torch::kInt).device(kGpu));
  at::_amp_update_scale_(scale, tracker, found, 2.0, 0.5, 2);
  EXPECT_EQ(scale.item<float>(), 4.0F);
  at::_amp_update_scale_(scale, tracker, found, 2.0, 0.5, 2);
  EXPECT_EQ(scale.item<float>(), 8.0F) << "after two steps";
  gradient[1] = INFINITY;
  at::_amp_foreach_non_finite_check_and_unscale_({gradient}, found, inverse);
  EXPECT_EQ(found.item<float>(), 1.0F);
  at::_amp_update_scale_(scale, tracker, found, 2.0, 0.5, 2);
  EXPECT_EQ(scale.item<float>(), 4.0F);
}

TEST(VirtualCudaGpuOperators, FusedAdamStepsAsAdamDoes) {
  const Tensor start = torch::linspace(-1, 1, 5);
  const Tensor gradient = torch::linspace(0.5, 2, 5);
  Tensor expected = start.clone().requires_grad_();
  expected.mutable_grad() = gradient.clone();
  torch::optim::Adam({expected}, torch::optim::AdamOptions(0.1)).step();
  const auto on_gpu = [](const Tensor& tensor) { return std::vector<Tensor>{tensor.to(kGpu)}; };
  const std::vector<Tensor> parameter = on_gpu(start);
  const std::vector<Tensor> average = on_gpu(torch::zeros({5}));
  const std::vector<Tensor> squares = on_gpu(torch::zeros({5}));
  at::_fused_adam_(parameter, on_gpu(gradient), average, squares, {}, on_gpu(torch::ones({})), 0.1,
                   0.9, 0.999, 0.0, 1e-8,
                   /*amsgrad=*/false, /*maximize=*/false);
  EXPECT_TRUE(torch::allclose(parameter[0].cpu(), expected.detach(), 1e-5, 1e-6));
}

// Two devices' halves of a batch, put together as SyncBatchNorm does, are the
// whole batch.
TEST(VirtualCudaGpuOperators, BatchesAreNormalisedOverDevices) {
  torch::manual_seed(2);
  const Tensor whole = torch::randn({6, 3, 4}).to(kGpu);
  const std::vector<Tensor> halves{whole.slice(0, 0, 2), whole.slice(0, 2)};
  std::vector<Tensor> means;
  std::vector<Tensor> invstds;
  for (const Tensor& half : halves) {
    const auto [mean, invstd] = at::batch_norm_stats(half, 1e-5);
    means.push_back(mean);
    invstds.push_back(invstd);
  }
  Tensor running_mean = torch::zeros({3}, kGpu);
  Tensor running_var = torch::ones({3}, kGpu);
  const Tensor counts = torch::tensor({8.0F, 16.0F}).to(kGpu);
  const auto [mean, invstd] =
      at::batch_norm_gather_stats_with_counts(whole, torch::stack(means), torch::stack(invstds),
                                              running_mean, running_var, 0.1, 1e-5, counts);
  const Tensor weight = torch::tensor({1.0F, 2.0F, 3.0F}).to(kGpu).requires_grad_();
  const Tensor bias = torch::zeros({3}).to(kGpu).requires_grad_();
  const Tensor input = whole.clone().requires_grad_();
  Tensor expected_mean = torch::zeros({3}, kGpu);
  Tensor expected_var = torch::ones({3}, kGpu);
  const Tensor expected =
      torch::batch_norm(input, weight, bias, expected_mean, expected_var, true, 0.1, 1e-5, false);
  const Tensor output =
      at::batch_norm_elemt(whole, weight.detach(), bias.detach(), mean, invstd, 1e-5);
  EXPECT_TRUE(torch::allclose(output, expected.detach(), 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(running_mean, expected_mean, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(running_var, expected_var, 1e-4, 1e-5));

  const Tensor grad = torch::rand({6, 3, 4}).to(kGpu);
  expected.backward(grad);
  const auto [sum, product, grad_weight, grad_bias] =
      at::batch_norm_backward_reduce(grad, whole, mean, invstd, weight.detach(), true, true, true);
  const Tensor grad_input = at::batch_norm_backward_elemt(
      grad, whole, mean, invstd, weight.detach(), sum, product, counts.to(torch::kInt));
  EXPECT_TRUE(torch::allclose(grad_weight, weight.grad(), 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(grad_bias, bias.grad(), 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(grad_input, input.grad(), 1e-4, 1e-5));
}

TEST(VirtualCudaGpuOperators, SparseTensorsAreOfTheirDevice) {
  const Tensor dense = torch::tensor({{0.0F, 2.0F}, {3.0F, 0.0F}}).to(kGpu);
  const Tensor sparse = dense.to_sparse();
  EXPECT_EQ(sparse.device(), kGpu);
  EXPECT_EQ(sparse.layout(), torch::kSparse);
  EXPECT_EQ(sparse.values().device(), kGpu);
  EXPECT_TRUE(sparse.to_dense().equal(dense));
  EXPECT_TRUE(torch::mm(sparse, dense).equal(torch::mm(dense, dense)));
  EXPECT_TRUE(sparse.cpu().to_dense().equal(dense.cpu()));
  EXPECT_TRUE(sparse.cpu().to(kGpu).to_dense().equal(dense));
  EXPECT_TRUE((sparse * 2).to_dense().equal(dense * 2));
  EXPECT_NE(message_of([&] { torch::mm(sparse, dense.cpu()); }), "no error");
}

TEST(VirtualCudaGpuOperators, SparseGradientsAreApplied) {
  torch::nn::Embedding embedding(torch::nn::EmbeddingOptions(5, 2).sparse(true));
  embedding->to(kGpu);
  const Tensor before = embedding->weight.detach().clone();
  torch::optim::SGD optimizer(embedding->parameters(), torch::optim::SGDOptions(1.0));
  embedding->forward(torch::tensor({1, 3, 3}).to(kGpu)).sum().backward();
  EXPECT_EQ(embedding->weight.grad().layout(), torch::kSparse);
  optimizer.step();
  const Tensor change = (before - embedding->weight.detach()).cpu();
  EXPECT_TRUE(change.select(1, 0).round().equal(torch::tensor({0.0F, 1.0F, 0.0F, 2.0F, 0.0F})))
      << change;
}

TEST(VirtualCudaGpuOperators, QuantizedTensorsAreRefused) {
  const std::string message =
      message_of([] { torch::quantize_per_tensor(torch::eye(3, kGpu), 0.1, 0, torch::kQInt8); });
  EXPECT_NE(message.find("not supported on virtual GPUs"), std::string::npos) << message;
}

}  // namespace
}  // namespace placecheck
