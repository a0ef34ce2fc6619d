// Halves: how they round, and operations that store them and compute in float.
#include "runtime/core/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/backend/generator.h"
#include "runtime/nn/layers.h"
#include "runtime/optim/optimizer.h"
#include "runtime/parallel/data_parallel.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

constexpr std::uint32_t kInfinity = 0x7c00;
constexpr float kInfinite = std::numeric_limits<float>::infinity();

float value_of(std::uint32_t bits) {
  return detail::float_of_half(static_cast<std::uint16_t>(bits));
}

// What the format's definition says, in double.
double defined_value(std::uint32_t bits) {
  int exponent = static_cast<int>(bits >> 10 & 31);
  int mantissa = static_cast<int>(bits & 1023);
  double size =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

TEST(HalfTest, EveryFiniteHalfHasItsValueAndComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & kInfinity) == kInfinity) continue;
    ASSERT_EQ(value_of(bits), defined_value(bits)) << bits;
    ASSERT_EQ(Half(value_of(bits)).bits, bits);
  }
}

// Between two neighbours: below the middle goes down, above it up, the middle itself to the even
// one.
TEST(HalfTest, RoundsToTheNearestTiesToEven) {
  for (std::uint32_t low = 0; low + 1 < kInfinity; ++low) {
    float middle = (value_of(low) + value_of(low + 1)) / 2;  // exact: one more bit
    std::uint32_t even = low % 2 == 0 ? low : low + 1;
    ASSERT_EQ(Half(middle).bits, even) << low;
    ASSERT_EQ(Half(std::nextafter(middle, 0.0F)).bits, low);
    ASSERT_EQ(Half(std::nextafter(middle, 1e9F)).bits, low + 1);
    ASSERT_EQ(Half(-middle).bits, even | 0x8000);
  }
}

TEST(HalfTest, KnowsItsEnds) {
  EXPECT_EQ(Half(65504.0F).bits, kInfinity - 1) << "the largest";
  EXPECT_EQ(Half(65519.9F).bits, kInfinity - 1);
  EXPECT_EQ(Half(65520.0F).bits, kInfinity);
  EXPECT_EQ(Half(1e30F).bits, kInfinity);
  EXPECT_EQ(float(Half(-kInfinite)), -kInfinite);
  EXPECT_TRUE(std::isnan(float(Half(std::nanf("")))));
  EXPECT_EQ(Half(std::ldexp(1.0F, -25)).bits, 0) << "a tie with nothing";
  EXPECT_EQ(Half(-1e-30F).bits, 0x8000);
}

class HalfTensorTest : public MachineTest {
 protected:
  // On the CPU and on a device.
  static std::vector<Device> places() { return {kCPU, gpu(1)}; }
  static Tensor rounded(const Tensor& tensor) { return tensor.to(kHalf).to(kFloat); }
};

TEST_F(HalfTensorTest, ConvertsToAndFromEveryType) {
  for (const Device& where : places()) {
    Tensor values = tensor({1.5, -2, 0, 70000, 1.0 / 3}).to(where);
    Tensor halves = values.to(kHalf);
    EXPECT_EQ(halves.dtype(), kHalf);
    EXPECT_EQ(halves.type_name(), where.is_cpu() ? "CPUHalfType" : "CUDAHalfType");
    std::vector<float> back = halves.to_vector<float>();
    EXPECT_EQ(back[3], kInfinite);
    EXPECT_EQ(back[4], 0.333251953125F);
    EXPECT_EQ(halves.narrow(0, 0, 3).to(kLong).to_vector<std::int64_t>(),
              std::vector<std::int64_t>({1, -2, 0}));
    EXPECT_EQ(halves.to(kBool).to_vector<bool>(),
              std::vector<bool>({true, true, false, true, true}));
    EXPECT_EQ(halves.to(kDouble).to_vector<double>()[0], 1.5);
  }
}

// Every result is float's, rounded once.
TEST_F(HalfTensorTest, ComputesInFloat) {
  for (const Device& where : places()) {
    Tensor a = randn({7, 5}, where).to(kHalf);
    Tensor b = randn({7, 5}, where).to(kHalf);
    Tensor row = randn({5}, where).to(kHalf);
    Tensor x = a.to(kFloat);
    Tensor y = b.to(kFloat);
    auto expect = [](const Tensor& half, const Tensor& wide) {
      EXPECT_EQ(half.dtype(), kHalf);
      EXPECT_TRUE(equal(half.to(kFloat), rounded(wide)));
    };
    expect(a + b, x + y);
    expect(a * b, x * y);
    expect(a / b, x / y);
    expect(a - row, x - row.to(kFloat));
    expect(a * 0.1, x * 0.1);
    expect(a.exp(), x.exp());
    expect(a.tanh(), x.tanh());
    expect(a.relu(), x.relu());
    expect(a.mean(), x.mean());
    expect(a.sum(0), x.sum(0));
    EXPECT_TRUE(equal(a.gt(0), x.gt(0)));
  }
}

TEST_F(HalfTensorTest, TheWiderTypeWins) {
  Tensor half = ones({2}, kHalf);
  EXPECT_EQ((half + ones({2}, kFloat)).dtype(), kFloat);
  EXPECT_EQ((ones({2}, kDouble) * half).dtype(), kDouble);
  EXPECT_EQ((half + ones({2}, kLong)).dtype(), kHalf);
  EXPECT_EQ((half + ones({}, kDouble)).dtype(), kHalf) << "a 0-dim tensor lends only its kind";
}

// 4096 halves of 1 do not fit eleven bits one by one, and 1 / 2^25 is no half: sums are float's.
TEST_F(HalfTensorTest, SumsDoNotRoundOnTheWay) {
  for (const Device& where : places()) {
    EXPECT_EQ(ones({4097}, TensorOptions(kHalf).device(where)).sum().item<float>(), 4096);
    EXPECT_EQ(full({1 << 13}, 2, TensorOptions(kHalf).device(where)).mean().item<float>(), 2);
  }
}

TEST_F(HalfTensorTest, MultipliesMatrices) {
  for (const Device& where : places()) {
    Tensor a = randn({4, 6}, where).to(kHalf);
    Tensor b = randn({6, 3}, where).to(kHalf);
    Tensor expected = a.to(kFloat).mm(b.to(kFloat));
    EXPECT_EQ(a.mm(b).dtype(), kHalf);
    EXPECT_TRUE(allclose(a.mm(b), expected, 1e-3, 1e-3));
    Tensor a_columns = a.t().contiguous().t();
    Tensor b_columns = b.t().contiguous().t();
    EXPECT_TRUE(equal(a_columns.mm(b), a.mm(b)));
    EXPECT_TRUE(equal(a.mm(b_columns), a.mm(b)));
    EXPECT_TRUE(equal(a_columns.mm(b_columns), a.mm(b)));
    EXPECT_TRUE(equal(a.narrow(1, 1, 4).mm(b.narrow(0, 1, 4)),
                      a.narrow(1, 1, 4).contiguous().mm(b.narrow(0, 1, 4).contiguous())))
        << "rows with gaps";
  }
}

// A model in halves on two devices has the gradients of the one in floats, but for the rounding.
TEST_F(HalfTensorTest, LinearLayersHaveGradients) {
  nn::Linear model(6, 3);
  nn::Linear wide(6, 3);
  model->to(kHalf);
  wide->load_state_dict(model->state_dict());
  model->to(gpu(0));
  Tensor x = randn({8, 6}).to(kHalf);
  Tensor y = randn({8, 3}).to(gpu(0));
  Tensor output = nn::DataParallel(model, {0, 1})(x);
  EXPECT_EQ(output.dtype(), kHalf);
  Tensor loss = mse_loss(output, y);
  EXPECT_EQ(loss.dtype(), kFloat);
  loss.backward();
  mse_loss(wide(x.to(kFloat)), y.cpu()).backward();
  EXPECT_EQ(model->weight.grad().dtype(), kHalf);
  EXPECT_TRUE(allclose(model->weight.grad(), wide->weight.grad(), 1e-2, 1e-3));
  EXPECT_TRUE(allclose(model->bias.grad(), wide->bias.grad(), 1e-2, 1e-3));
}

// In halves, on two devices, a step is that of floats but for the rounding.
TEST_F(HalfTensorTest, SgdTrains) {
  Tensor x = randn({16, 6});
  Tensor y = x.mm(randn({6, 3}));
  auto losses = [&](ScalarType type, double momentum) {
    manual_seed(4);
    nn::Linear model(6, 3);
    model->to(type);
    model->to(gpu(0));
    nn::DataParallel net(model, {0, 1});
    optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.1).momentum(momentum));
    std::vector<double> result;
    for (int step = 0; step < 60; ++step) {
      Tensor loss = mse_loss(net(x.to(type)), y.to(gpu(0)));
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      result.push_back(loss.item<double>());
    }
    EXPECT_EQ(model->weight.dtype(), type);
    return result;
  };
  for (double momentum : {0.0, 0.5}) {
    std::vector<double> half = losses(kHalf, momentum);
    std::vector<double> wide = losses(kFloat, momentum);
    EXPECT_NEAR(half[5], wide[5], 0.02 * wide[5]);
    EXPECT_LT(half.back(), 0.02 * half.front());
  }
}

}  // namespace
}  // namespace placecheck::runtime
