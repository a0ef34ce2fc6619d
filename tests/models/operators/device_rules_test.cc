// The table's device rules against libtorch itself, with the meta device in the part of the other
// device: operations with a TensorIterator check their operands on every machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/models/operators/operators.h"
#include "tests/models/operators/installed_schemas.h"

namespace placecheck::models {
namespace {

// These check in their CUDA kernels only, which meta does not run.
const std::set<std::string> kUncheckedOnMeta = {
    "__ilshift__",   "__irshift__", "bernoulli_",  "dist",        "fill",        "fill_",
    "floor_divide_", "index_fill",  "index_fill_", "masked_fill", "masked_fill_"};

// Later versions let scalars of the CPU through here; the installed one may not.
const std::set<std::string> kStricterOnce = {"addcdiv", "addcdiv_", "addcmul", "addcmul_",
                                             "lerp",    "lerp_",    "where"};

enum class Outcome { kRan, kMismatch, kOther };

std::size_t operand_count(const c10::FunctionSchema& schema) {
  std::size_t count = 0;
  for (const auto& argument : schema.arguments()) {
    if (is_tensor(argument) && !argument.default_value()) ++count;
  }
  return count;
}

// The operand at `odd` on the CPU with the given sizes, all others 2 x 2 on meta.
Outcome try_with_odd_operand(const InstalledOperator& operation, std::size_t odd,
                             at::IntArrayRef sizes) {
  std::string error;
  const auto tensors = [&](std::size_t index) {
    return index == odd ? at::ones(sizes) : at::ones({2, 2}, at::device(at::kMeta));
  };
  if (call(operation, tensors, &error)) return Outcome::kRan;
  const bool mismatch = error.find("to be on the same device") != std::string::npos;
  return mismatch ? Outcome::kMismatch : Outcome::kOther;
}

bool has_rule(const InstalledOperator& operation, DeviceRule rule) {
  const auto& schema = operation->schema();
  const Operator* row = find_operator(plain_name(schema));
  if (row == nullptr || row->device_rule != rule) return false;
  return !has_out(schema) && operand_count(schema) >= 2;
}

bool is_subset(const std::set<std::string>& part, const std::set<std::string>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

TEST(DeviceRules, TensorIteratorOperationsRejectMixedOperands) {
  int rejected = 0;
  std::set<std::string> accepting;
  for (const auto& operation : installed_operators()) {
    if (!has_rule(operation, DeviceRule::kTensorIterator)) continue;
    const auto outcome = try_with_odd_operand(operation, 1, {2, 2});
    if (outcome == Outcome::kMismatch) ++rejected;
    if (outcome == Outcome::kRan) accepting.insert(plain_name(operation->schema()));
  }
  EXPECT_TRUE(is_subset(accepting, kUncheckedOnMeta)) << testing::PrintToString(accepting);
  EXPECT_GT(rejected, 60);
}

TEST(DeviceRules, TensorIteratorOperationsAcceptScalarsOfTheCpu) {
  int accepted = 0;
  std::set<std::string> rejecting;
  for (const auto& operation : installed_operators()) {
    if (!has_rule(operation, DeviceRule::kTensorIterator)) continue;
    const auto outcome = try_with_odd_operand(operation, 1, {});
    if (outcome == Outcome::kRan) ++accepted;
    if (outcome == Outcome::kMismatch) rejecting.insert(plain_name(operation->schema()));
  }
  EXPECT_TRUE(is_subset(rejecting, kStricterOnce)) << testing::PrintToString(rejecting);
  EXPECT_GT(accepted, 60);
}

TEST(DeviceRules, OperationsWithoutACheckNeverRejectMixedOperands) {
  int accepted = 0;
  for (const auto& operation : installed_operators()) {
    if (!has_rule(operation, DeviceRule::kNone) && !has_rule(operation, DeviceRule::kCopy))
      continue;
    const auto outcome = try_with_odd_operand(operation, 1, {2, 2});
    EXPECT_NE(outcome, Outcome::kMismatch) << operation->schema();
    if (outcome == Outcome::kRan) ++accepted;
  }
  EXPECT_GT(accepted, 8);
}

template <typename Call>
bool runs(Call&& call) {
  try {
    call();
    return true;
  } catch (const c10::Error&) {
    return false;
  }
}

TEST(DeviceRules, OperationsSpelledByHandDoAsTheTableTells) {
  const auto meta = at::ones({2, 2}, at::device(at::kMeta));
  const auto cpu = at::ones({2, 2});
  EXPECT_EQ(find_operator("add")->device_rule, DeviceRule::kTensorIterator);
  EXPECT_FALSE(runs([&] { return meta + cpu; }));
  EXPECT_TRUE(runs([&] { return meta + at::ones({}); }));
  EXPECT_FALSE(runs([&] { return meta + at::ones({1}); }));
  EXPECT_FALSE(runs([&] { return at::ones({}).add_(at::ones({}, at::device(at::kMeta))); }));
  EXPECT_EQ(find_operator("mse_loss")->device_rule, DeviceRule::kTensorIterator);
  EXPECT_FALSE(runs([&] { return at::mse_loss(meta, cpu); }));
  EXPECT_EQ(find_operator("copy_")->device_rule, DeviceRule::kCopy);
  EXPECT_TRUE(runs([&] { return meta.clone().copy_(cpu); }));
  EXPECT_EQ(find_operator("expand_as")->device_rule, DeviceRule::kNone);
  EXPECT_TRUE(runs([&] { return at::ones({1, 2}).expand_as(meta); }));
  EXPECT_EQ(find_operator("zeros_like")->result_place, ResultPlace::kOptionsOrSelf);
  EXPECT_TRUE(at::zeros_like(meta).is_meta());
  EXPECT_TRUE(at::zeros_like(meta, at::device(at::kCPU)).is_cpu());
  EXPECT_EQ(find_operator("type_as")->result_place, ResultPlace::kOther);
  EXPECT_TRUE(cpu.type_as(meta).is_meta());
  EXPECT_EQ(find_operator("new_zeros")->result_place, ResultPlace::kOptionsOrSelf);
  EXPECT_TRUE(meta.new_zeros({2}).is_meta());
}

}  // namespace
}  // namespace placecheck::models
