// The errors of a CUDA build, to the letter; names of wrappers are those of the linked release.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <string>
#include <vector>

#include "tests/runtime/torch/messages.h"

namespace placecheck {
namespace {

using torch::Device;
using torch::Tensor;

const Device kGpu("cuda:1");

std::string iterator_text(const std::string& first, const std::string& second) {
  return "device-mismatch: Expected all tensors to be on the same device, but found at least two "
         "devices, " +
         first + " and " + second + "!";
}

Tensor on_cpu(at::IntArrayRef sizes = {2, 2}) { return torch::ones(sizes); }
Tensor on_gpu(at::IntArrayRef sizes = {2, 2}) { return torch::ones(sizes, kGpu); }
Tensor labels(Device device = torch::kCPU) {
  return torch::zeros({2}, torch::dtype(torch::kLong).device(device));
}

TEST(VirtualCudaErrors, MatrixProducts) {
  torch::nn::Linear linear(2, 2);
  EXPECT_EQ(message_of([&] { linear->forward(on_gpu()); }),
            argument_text("cpu", "cuda:1", "mat1", "addmm"));
  linear->to(kGpu);
  EXPECT_EQ(message_of([&] { linear->forward(on_cpu()); }),
            argument_text("cuda:1", "cpu", "mat1", "addmm"));
  EXPECT_EQ(message_of([&] { linear->forward(on_gpu().to(Device("cuda:0"))); }),
            argument_text("cuda:1", "cuda:0", "mat1", "addmm"));
  EXPECT_EQ(message_of([&] { torch::mm(on_gpu(), on_cpu()); }),
            argument_text("cuda:1", "cpu", "mat2", "mm"));
  EXPECT_EQ(message_of([&] { torch::bmm(on_cpu({1, 2, 2}), on_gpu({1, 2, 2})); }),
            argument_text("cpu", "cuda:1", "mat2", "bmm"));
  EXPECT_EQ(message_of([&] { torch::dot(on_gpu({2}), on_cpu({2})); }),
            argument_text("cuda:1", "cpu", "tensor", "_dot"));
  Tensor out = on_cpu();
  EXPECT_EQ(message_of([&] { torch::mm_out(out, on_gpu(), on_gpu()); }),
            argument_text("cpu", "cuda:1", "self", "mm_out_out"));
}

TEST(VirtualCudaErrors, LossesAndEmbeddings) {
  const Tensor scores = on_gpu().log_softmax(1);
  EXPECT_EQ(message_of([&] { torch::nll_loss(scores, labels()); }),
            argument_text("cuda:1", "cpu", "target", "nll_loss_forward"));
  EXPECT_EQ(message_of([&] { torch::nn::functional::cross_entropy(scores, labels()); }),
            argument_text("cuda:1", "cpu", "target", "nll_loss_forward"));
  EXPECT_EQ(message_of([&] { torch::mse_loss(on_gpu(), on_cpu()); }),
            iterator_text("cuda:1", "cpu"));
  torch::nn::Embedding words(4, 2);
  words->to(kGpu);
  EXPECT_EQ(message_of([&] { words->forward(labels()); }),
            argument_text("cuda:1", "cpu", "index", "_index_select"));
  EXPECT_EQ(message_of([&] { on_gpu().gather(0, labels().view({1, 2})); }),
            argument_text("cuda:1", "cpu", "index", "gather"));
}

TEST(VirtualCudaErrors, ElementwiseOperations) {
  EXPECT_EQ(message_of([&] { on_cpu() + on_gpu(); }), iterator_text("cuda:1", "cpu"));
  EXPECT_EQ(message_of([&] { on_gpu() * torch::ones({2, 2}, Device("cuda:0")); }),
            iterator_text("cuda:1", "cuda:0"));
  EXPECT_EQ(message_of([&] { on_cpu().add_(on_gpu()); }), iterator_text("cuda:1", "cpu"));
  EXPECT_EQ(message_of([&] { torch::lt(on_gpu(), on_cpu()); }), iterator_text("cuda:1", "cpu"));
  EXPECT_EQ(message_of([&] { torch::where(on_gpu() > 0, on_gpu(), on_cpu()); }),
            iterator_text("cuda:1", "cpu"));
}

TEST(VirtualCudaErrors, OneScalarOfTheHostMayJoin) {
  const Tensor two = torch::scalar_tensor(2);
  EXPECT_EQ(message_of([&] {
              EXPECT_EQ((on_gpu() * two).device(), kGpu);
              EXPECT_EQ((two - on_gpu()).device(), kGpu);
              EXPECT_EQ((on_gpu() / 3 + 1).device(), kGpu);
              on_gpu().add_(two);
            }),
            "no error");
  EXPECT_EQ(message_of([&] { torch::scalar_tensor(2).add_(on_gpu().sum()); }),
            iterator_text("cuda:1", "cpu"));
  EXPECT_EQ(message_of([&] { torch::addcmul(on_gpu(), two, two); }),
            "device-mismatch: Trying to pass too many CPU scalars to non-CPU kernel!");
  EXPECT_EQ(message_of([&] { torch::cat({on_gpu({1}), torch::ones({1})}); }),
            argument_text("cuda:1", "cpu", "tensors", "cat"));
}

TEST(VirtualCudaErrors, Convolutions) {
  torch::nn::Conv2d conv(1, 1, 1);
  const std::string types =
      "Input type (CPUFloatType) and weight type (CUDAFloatType) should be "
      "the same or input should be a MKLDNN tensor and weight is a dense "
      "tensor";
  conv->to(kGpu);
  EXPECT_EQ(message_of([&] { conv->forward(on_cpu({1, 1, 2, 2})); }), "device-mismatch: " + types);
  EXPECT_EQ(message_of([&] { conv->forward(torch::ones({1, 1, 2, 2}, torch::kCUDA)); }),
            argument_text("cuda:0", "cuda:1", "weight", "_cudnn_convolution"));
  const Tensor doubles = on_gpu({1, 1, 2, 2}).to(torch::kDouble);
  EXPECT_EQ(message_of([&] { torch::conv2d(doubles, conv->weight); }),
            "Input type (CUDADoubleType) and weight type (CUDAFloatType) should be the same");
  conv->to(torch::kCPU);
  EXPECT_EQ(message_of([&] { conv->forward(on_gpu({1, 1, 2, 2})); }),
            "device-mismatch: Input type (CUDAFloatType) and weight type (CPUFloatType) should be "
            "the same");
}

TEST(VirtualCudaErrors, NormalizationsAndRecurrentLayers) {
  torch::nn::BatchNorm1d norm(2);
  EXPECT_EQ(message_of([&] { norm->forward(on_gpu()); }),
            argument_text("cuda:1", "cpu", "weight", "_native_batch_norm"));
  torch::nn::LSTM lstm(2, 2);
  lstm->to(kGpu);
  EXPECT_EQ(message_of([&] { lstm->forward(on_cpu({1, 1, 2})); }),
            "Input and parameter tensors are not at the same device, found input tensor at cpu and "
            "parameter tensor at cuda:1");
}

TEST(VirtualCudaErrors, IndicesAndMasks) {
  EXPECT_EQ(message_of([&] { on_cpu().index({labels(kGpu)}); }),
            "device-mismatch: indices should be either on cpu or on the same device as the indexed "
            "tensor (cpu)");
  EXPECT_EQ(message_of([&] { on_gpu().index({labels(Device("cuda:0"))}); }),
            "device-mismatch: indices should be either on cpu or on the same device as the indexed "
            "tensor (cuda:1)");
  EXPECT_EQ(message_of([&] { on_gpu().index_put_({labels()}, on_cpu()); }),
            iterator_text("cuda:1", "cpu"));
  EXPECT_EQ(message_of([&] { on_gpu().masked_fill_(on_cpu() > 0, 1); }),
            "device-mismatch: expected self and mask to be on the same device, but got mask on cpu "
            "and self on cuda:1");
}

TEST(VirtualCudaErrors, DevicesThatAreNotThere) {
  const std::string ordinal = "invalid-device: CUDA error: invalid device ordinal\n";
  for (const auto& action :
       std::vector<std::function<void()>>{[] { torch::ones({1}, Device("cuda:2")); },
                                          [] { torch::ones({1}).to(Device("cuda:7")); },
                                          [] { torch::nn::Linear(1, 1)->to(Device("cuda:9")); },
                                          [] { const c10::DeviceGuard guard(Device("cuda:3")); }}) {
    EXPECT_EQ(message_of(action).substr(0, ordinal.size()), ordinal);
  }
}

TEST(VirtualCudaErrors, InTheBackwardPassReachTheCaller) {
  struct Wrong : torch::autograd::Function<Wrong> {
    static Tensor forward(torch::autograd::AutogradContext* /*context*/, const Tensor& x) {
      return x * 2;
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* /*context*/,
                                                   const torch::autograd::variable_list& grads) {
      return {grads[0] * torch::ones({2})};
    }
  };
  const Tensor x = torch::ones({2}, torch::device(kGpu).requires_grad(true));
  EXPECT_EQ(message_of([&] { Wrong::apply(x).sum().backward(); }), iterator_text("cuda:1", "cpu"));
}

TEST(VirtualCudaErrors, AFailedCallLeavesItsArgumentsAlone) {
  Tensor a = on_gpu();
  EXPECT_NE(message_of([&] { a.add_(on_cpu()); }), "no error");
  EXPECT_TRUE(a.equal(on_gpu()));
  EXPECT_EQ(a.add_(1).sum().item<float>(), 8);
}

}  // namespace
}  // namespace placecheck
