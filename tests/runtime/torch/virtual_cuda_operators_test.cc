// A wide choice of operators, one or more of each family, on a virtual device and on the CPU: the
// same values, and the same gradients.
#include <gtest/gtest.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <functional>
#include <string>
#include <vector>

namespace placecheck {
namespace {

namespace functional = torch::nn::functional;
using torch::Tensor;
using Tensors = std::vector<Tensor>;

const torch::Device kGpu("cuda:1");

struct Case {
  const char* name;
  // x: 4x6 in (0.1, 0.9), y: the same shape; both may require gradients.
  std::function<Tensors(const Tensor& x, const Tensor& y)> run;
};

Tensor image(const Tensor& x) { return x.view({1, 2, 3, 4}); }
Tensor well_conditioned(const Tensor& x) { return x.mm(x.t()) + 4 * torch::eye(4, x.options()); }
Tensor labels(const Tensor& x) { return torch::tensor({0, 3, 5, 2}).to(x.device()); }
Tensor order(const Tensor& x) { return torch::tensor({2, 0, 1}).to(x.device()); }

std::vector<Case> elementwise() {
  return {
      {"exp", [](auto& x, auto&) { return Tensors{x.exp(), x.log(), x.sqrt(), x.rsqrt()}; }},
      {"trigonometry", [](auto& x, auto& y) { return Tensors{x.sin(), x.acos(), x.atan2(y)}; }},
      {"activations",
       [](auto& x, auto&) {
         return Tensors{torch::relu(x),        torch::gelu(x),       torch::silu(x),
                        torch::elu(x),         torch::selu(x),       torch::leaky_relu(x),
                        torch::hardtanh(x),    torch::hardswish(x),  torch::mish(x),
                        torch::softplus(x),    torch::sigmoid(x),    torch::tanh(x),
                        torch::log_sigmoid(x), torch::hardsigmoid(x)};
       }},
      {"arithmetic",
       [](auto& x, auto& y) {
         return Tensors{x + y, x - 2 * y, x / y, x.pow(y), x.remainder(y), -x, 1 / x, x.fmod(0.3)};
       }},
      {"comparison",
       [](auto& x, auto& y) { return Tensors{x.gt(y), x.eq(x), torch::where(x > y, x, y)}; }},
      {"choice",
       [](auto& x, auto& y) {
         return Tensors{torch::max(x, y), torch::fmin(x, y), x.clamp(0.2, 0.8), x.lerp(y, 0.3)};
       }},
      {"fused", [](auto& x, auto& y) { return Tensors{x.addcmul(x, y), x.addcdiv(x, y, 0.5)}; }},
      {"rounding", [](auto& x, auto&) { return Tensors{x.ceil(), x.floor(), (x * 9).round()}; }},
      {"special", [](auto& x, auto&) { return Tensors{x.erf(), x.lgamma(), x.digamma()}; }},
      {"casts", [](auto& x, auto&) { return Tensors{x.to(torch::kHalf), x.to(torch::kLong)}; }},
      {"dropped", [](auto& x, auto&) { return Tensors{torch::dropout(x, 0.5, false)}; }},
      {"in place",
       [](auto& x, auto& y) {
         return Tensors{x.clone().add_(y).mul_(2).sub_(1).div_(y), x.clone().zero_(),
                        x.clone().clamp_(0.3), x.clone().masked_fill_(y > 0.5, 7)};
       }},
  };
}

std::vector<Case> reductions() {
  return {
      {"sums", [](auto& x, auto&) { return Tensors{x.sum(), x.sum(0), x.mean(1), x.prod(1)}; }},
      {"extremes",
       [](auto& x, auto&) {
         auto [values, places] = x.max(1);
         return Tensors{values, places, x.min(), x.argmax(1), x.amax(0), std::get<0>(x.median(1))};
       }},
      {"spread", [](auto& x, auto&) { return Tensors{x.var(1), x.std(), x.norm(), x.norm(1)}; }},
      {"logical", [](auto& x, auto&) { return Tensors{(x > 0.5).any(1), (x > 0).all()}; }},
      {"scans",
       [](auto& x, auto&) { return Tensors{x.cumsum(1), x.cumprod(0), x.logcumsumexp(1)}; }},
      {"log-sum-exp", [](auto& x, auto&) { return Tensors{x.logsumexp(1), x.softmax(1)}; }},
      {"counts", [](auto& x, auto&) { return Tensors{x.histc(5, 0, 1), x.count_nonzero()}; }},
      {"sorting",
       [](auto& x, auto&) {
         return Tensors{std::get<0>(x.sort(1)), std::get<1>(x.topk(2, 1)), x.argsort(int64_t{0}),
                        std::get<0>(x.kthvalue(2, 1))};
       }},
      {"unique",
       [](auto& x, auto&) { return Tensors{std::get<0>(torch::_unique(x.detach().round()))}; }},
      {"quantiles", [](auto& x, auto&) { return Tensors{x.quantile(0.4)}; }},
  };
}

std::vector<Case> shapes() {
  return {
      {"views",
       [](auto& x, auto&) {
         return Tensors{
             x.view({3, 8}),    x.t(),        x.flip(0), x.roll(1, 1), x.repeat({2, 1}),
             x.unfold(1, 3, 2), x.diagonal(), x.tril(),  x.rot90(),    x.permute({1, 0})};
       }},
      {"joins",
       [](auto& x, auto& y) {
         return Tensors{torch::cat({x, y}, 1), torch::stack({x, y}), torch::hstack({x, y}),
                        torch::chunk(x, 3, 1)[2], x.split(4, 1)[1]};
       }},
      {"gathers",
       [](auto& x, auto&) {
         return Tensors{x.index_select(0, order(x)), x.gather(1, labels(x).view({4, 1})),
                        x.index({order(x)}), x.take(order(x)), x.masked_select(x > 0.5)};
       }},
      {"scatters",
       [](auto& x, auto& y) {
         const Tensor places = labels(x).view({4, 1});
         return Tensors{x.scatter(1, places, y.slice(1, 0, 1)),
                        x.scatter_add(1, places, y.slice(1, 0, 1)),
                        x.index_add(0, order(x), y.slice(0, 0, 3)),
                        x.index_copy(0, order(x), y.slice(0, 0, 3)), x.index_fill(0, order(x), 2)};
       }},
      {"padding",
       [](auto& x, auto&) {
         return Tensors{
             torch::constant_pad_nd(x, {1, 2}, 3),
             functional::pad(image(x),
                             functional::PadFuncOptions({1, 1, 1, 1}).mode(torch::kReflect))};
       }},
      {"one-hot", [](auto& x, auto&) { return Tensors{torch::one_hot(labels(x), 6)}; }},
      {"meshes", [](auto& x, auto&) { return Tensors{torch::meshgrid({x[0], x[1]}, "ij")[1]}; }},
  };
}

std::vector<Case> products() {
  return {
      {"matrix products",
       [](auto& x, auto& y) {
         return Tensors{x.mm(y.t()),
                        x.matmul(y[0]),
                        torch::bmm(x.view({2, 2, 6}), y.view({2, 6, 2})),
                        torch::addmm(well_conditioned(x), x, y.t()),
                        torch::einsum("ij,kj->ik", {x, y}),
                        torch::outer(x[0], y[0]),
                        torch::dot(x[0], y[0]),
                        torch::addr(torch::zeros({6, 6}, x.options()), x[0], y[0])};
       }},
      {"linear algebra",
       [](auto& x, auto& y) {
         const Tensor a = well_conditioned(x);
         return Tensors{torch::inverse(a), torch::det(a), torch::linalg_cholesky(a),
                        torch::linalg_solve(a, y), torch::linalg_norm(a)};
       }},
      {"distances",
       [](auto& x, auto& y) {
         return Tensors{torch::cdist(x, y), torch::cosine_similarity(x, y, 1),
                        torch::pairwise_distance(x, y)};
       }},
      {"bilinear",
       [](auto& x, auto& y) {
         return Tensors{torch::bilinear(x, y, torch::ones({2, 6, 6}, x.options()))};
       }},
      {"transforms",
       [](auto& x, auto&) {
         return Tensors{torch::abs(torch::fft::fft(x)), torch::fft::irfft(torch::fft::rfft(x))};
       }},
  };
}

std::vector<Case> layers() {
  return {
      {"convolutions",
       [](auto& x, auto& y) {
         const std::vector<int64_t> zero{0}, one{1}, two{2};
         const Tensor weight = y.flatten().slice(0, 0, 16).view({2, 2, 2, 2});
         const Tensor in = image(x);
         return Tensors{torch::conv2d(in, weight),
                        torch::conv_transpose2d(in, weight),
                        torch::conv2d(in, weight, Tensor(), one, one, two),
                        torch::conv2d(in, weight.slice(1, 0, 1), Tensor(), one, zero, one, 2),
                        torch::conv1d(x.view({1, 2, 12}), weight[0]),
                        torch::conv3d(in.unsqueeze(2), weight.unsqueeze(2))};
       }},
      {"pooling",
       [](auto& x, auto&) {
         const Tensor in = image(x);
         return Tensors{torch::max_pool2d(in, 2), torch::avg_pool2d(in, 2),
                        torch::adaptive_avg_pool2d(in, {1, 2}),
                        std::get<0>(torch::adaptive_max_pool2d(in, {2, 2})),
                        torch::max_pool1d(x.unsqueeze(0), 2)};
       }},
      {"sampling",
       [](auto& x, auto&) {
         namespace f = functional;
         const auto sizes = std::vector<double>{2, 2};
         return Tensors{f::interpolate(image(x), f::InterpolateFuncOptions().scale_factor(sizes)),
                        f::interpolate(image(x), f::InterpolateFuncOptions()
                                                     .scale_factor(sizes)
                                                     .mode(torch::kBilinear)
                                                     .align_corners(false)),
                        torch::pixel_shuffle(x.view({1, 4, 2, 3}), 2)};
       }},
      {"grids",
       [](auto& x, auto& y) {
         return Tensors{torch::grid_sampler(image(x), y.view({1, 3, 4, 2}), 0, 0, false)};
       }},
      {"normalizations",
       [](auto& x, auto& y) {
         return Tensors{torch::layer_norm(x, {6}, y[0], y[1]), torch::group_norm(image(x), 2),
                        torch::instance_norm(image(x), {}, {}, {}, {}, true, 0.1, 1e-5, false),
                        torch::batch_norm(x, y[0], y[1], {}, {}, true, 0.1, 1e-5, false),
                        functional::normalize(x)};
       }},
      {"embeddings",
       [](auto& x, auto&) {
         return Tensors{
             torch::embedding(x, order(x)),
             std::get<0>(torch::embedding_bag(x, order(x), torch::tensor({0, 2}).to(x.device())))};
       }},
      {"losses",
       [](auto& x, auto& y) {
         namespace f = functional;
         return Tensors{torch::mse_loss(x, y),
                        torch::l1_loss(x, y),
                        torch::smooth_l1_loss(x, y),
                        torch::huber_loss(x, y),
                        torch::binary_cross_entropy(x, y.detach()),
                        torch::binary_cross_entropy_with_logits(x, y.detach()),
                        f::cross_entropy(x, labels(x)),
                        torch::nll_loss(x.log_softmax(1), labels(x)),
                        torch::kl_div(x.log(), y.detach()),
                        f::triplet_margin_loss(x, y, x + 1),
                        torch::multi_margin_loss(x, labels(x))};
       }},
      {"sequence loss",
       [](auto& x, auto&) {
         return Tensors{torch::ctc_loss(x.view({4, 1, 6}).log_softmax(2),
                                        torch::tensor({{1, 2}}).to(x.device()), at::IntArrayRef{4},
                                        at::IntArrayRef{2})};
       }},
#if TORCH_VERSION_MAJOR >= 2
      {"attention",
       [](auto& x, auto& y) {
         const Tensor query = x.view({1, 2, 2, 6});
         const Tensor key = y.view({1, 2, 2, 6});
         return Tensors{at::scaled_dot_product_attention(query, key, key)};
       }},
#endif
  };
}

Tensors gradients_of(const Tensors& results, const Tensors& inputs) {
  Tensor total = torch::zeros({}, inputs[0].options());
  for (const Tensor& result : results) {
    if (result.requires_grad()) total = total + result.to(torch::kFloat).sum();
  }
  if (!total.requires_grad()) return {};
  return torch::autograd::grad({total}, inputs, {}, false, false, /*allow_unused=*/true);
}

struct Outcome {
  Tensors results;
  Tensors gradients;
};

Outcome outcome_on(torch::Device device, const Case& each) {
  torch::manual_seed(4);
  Tensors inputs;
  for (int i = 0; i < 2; ++i) {
    inputs.push_back((torch::rand({4, 6}) * 0.8 + 0.1).to(device).requires_grad_());
  }
  Outcome outcome;
  outcome.results = each.run(inputs[0], inputs[1]);
  outcome.gradients = gradients_of(outcome.results, inputs);
  return outcome;
}

void expect_same(const Tensors& on_cpu, const Tensors& on_gpu, const std::string& what) {
  ASSERT_EQ(on_cpu.size(), on_gpu.size()) << what;
  for (std::size_t i = 0; i < on_cpu.size(); ++i) {
    SCOPED_TRACE(what + " " + std::to_string(i));
    ASSERT_EQ(on_cpu[i].defined(), on_gpu[i].defined());
    if (!on_cpu[i].defined()) continue;
    EXPECT_EQ(on_gpu[i].device(), kGpu);
    ASSERT_EQ(on_cpu[i].sizes(), on_gpu[i].sizes());
    ASSERT_EQ(on_cpu[i].dtype(), on_gpu[i].dtype());
    EXPECT_TRUE(torch::allclose(on_cpu[i].detach().to(torch::kDouble),
                                on_gpu[i].detach().cpu().to(torch::kDouble), 1e-5, 1e-6));
  }
}

void expect_same_on_both(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    const Outcome on_cpu = outcome_on(torch::kCPU, each);
    Outcome on_gpu;
    ASSERT_NO_THROW(on_gpu = outcome_on(kGpu, each)) << each.name;
    expect_same(on_cpu.results, on_gpu.results, each.name);
    expect_same(on_cpu.gradients, on_gpu.gradients, std::string("gradients of ") + each.name);
  }
}

TEST(VirtualCudaOperators, Elementwise) { expect_same_on_both(elementwise()); }
TEST(VirtualCudaOperators, Reductions) { expect_same_on_both(reductions()); }
TEST(VirtualCudaOperators, Shapes) { expect_same_on_both(shapes()); }
TEST(VirtualCudaOperators, Products) { expect_same_on_both(products()); }
TEST(VirtualCudaOperators, Layers) { expect_same_on_both(layers()); }

}  // namespace
}  // namespace placecheck
