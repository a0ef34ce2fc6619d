#include "rules/device_mismatch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/rules/world.h"

namespace placecheck::rules::device_mismatch {
namespace {

constexpr Mixing kAllMixings[] = {Mixing::kExact, Mixing::kCpuScalars, Mixing::kAnywhere};
constexpr Role kAllRoles[] = {Role::kInput, Role::kOutput, Role::kIndex};
constexpr Trait kAllTraits[] = {Trait::kNo, Trait::kYes, Trait::kUnknown};

struct Concrete {
  int device;
  bool zero_dim;
  Role role;
};

// PyTorch's procedure for two operands, written plainly.
bool pytorch_accepts(Concrete a, Concrete b, Mixing mixing) {
  if (mixing == Mixing::kAnywhere || a.device == b.device) return true;
  if (a.device >= 0 && b.device >= 0) return false;
  const Concrete on_cpu = a.device < 0 ? a : b;
  if (on_cpu.role == Role::kIndex) return true;
  return mixing == Mixing::kCpuScalars && on_cpu.zero_dim && on_cpu.role == Role::kInput;
}

std::vector<OperandFact> all_operands() {
  std::vector<OperandFact> operands;
  for (DeviceFact device : all_device_facts()) {
    for (Trait zero_dim : kAllTraits) {
      for (Role role : kAllRoles) operands.push_back({device, zero_dim, role});
    }
  }
  return operands;
}

bool may_be(Trait trait, bool value) {
  return trait == Trait::kUnknown || (trait == Trait::kYes) == value;
}

// Broken only if PyTorch refuses every meaning of the facts, holds only if it accepts every one.
TEST(Judge, IsSoundForTwoOperands) {
  for (Mixing mixing : kAllMixings) {
    for (const OperandFact& a : all_operands()) {
      for (const OperandFact& b : all_operands()) {
        bool accepted = false;
        bool refused = false;
        for_each_meaning(a.device, b.device, [&](int x, int y) {
          for (bool zero_a : {false, true}) {
            for (bool zero_b : {false, true}) {
              if (!may_be(a.zero_dim, zero_a) || !may_be(b.zero_dim, zero_b)) continue;
              const bool fine = pytorch_accepts({x, zero_a, a.role}, {y, zero_b, b.role}, mixing);
              (fine ? accepted : refused) = true;
            }
          }
        });
        const Verdict verdict = judge(a, b, mixing);
        ASSERT_FALSE(verdict == Verdict::kBroken && accepted);
        ASSERT_FALSE(verdict == Verdict::kHolds && refused);
        ASSERT_FALSE(verdict == Verdict::kUnknown && a.device.is_known() && b.device.is_known() &&
                     accepted != refused && mixing == Mixing::kExact && a.role == Role::kInput &&
                     b.role == Role::kInput)
            << "not as sharp as the facts allow";
      }
    }
  }
}

TEST(Judge, ConcreteWorldIsDecidedExactly) {
  for (Mixing mixing : kAllMixings) {
    for (int x : kConcreteDevices) {
      for (int y : kConcreteDevices) {
        for (bool zero : {false, true}) {
          for (Role role : kAllRoles) {
            const Verdict verdict = judge({fact_of(x), zero ? Trait::kYes : Trait::kNo, role},
                                          {fact_of(y), Trait::kNo, Role::kInput}, mixing);
            EXPECT_EQ(verdict == Verdict::kHolds,
                      pytorch_accepts({x, zero, role}, {y, false, Role::kInput}, mixing));
            EXPECT_NE(verdict, Verdict::kUnknown);
          }
        }
      }
    }
  }
}

// All placements of three operands over the facts: broken as soon as two of them are, and never by
// itself.
TEST(Judge, ThreeOperandsAreJudgedInPairs) {
  const std::vector<DeviceFact> facts = all_device_facts();
  for (DeviceFact a : facts) {
    for (DeviceFact b : facts) {
      for (DeviceFact c : facts) {
        const OperandFact operands[] = {{.device = a}, {.device = b}, {.device = c}};
        const Verdict expected =
            all_of(all_of(same_place(a, b), same_place(a, c)), same_place(b, c));
        EXPECT_EQ(judge(operands, Mixing::kExact), expected);
      }
    }
  }
}

TEST(Judge, OneCpuScalarMayJoinButNotTwo) {
  const OperandFact cuda{DeviceFact::cuda(0)};
  const OperandFact scalar{DeviceFact::cpu(), Trait::kYes};
  const OperandFact one[] = {cuda, cuda, scalar};
  const OperandFact two[] = {cuda, scalar, scalar};
  const OperandFact none[] = {scalar, scalar};
  EXPECT_EQ(judge(one, Mixing::kCpuScalars), Verdict::kHolds);
  EXPECT_EQ(judge(two, Mixing::kCpuScalars), Verdict::kBroken);
  EXPECT_EQ(judge(none, Mixing::kCpuScalars), Verdict::kHolds);
  EXPECT_EQ(judge(one, Mixing::kExact), Verdict::kBroken);
}

TEST(Judge, WritingIntoACpuScalarIsRefused) {
  const OperandFact target{DeviceFact::cpu(), Trait::kYes, Role::kOutput};
  EXPECT_EQ(judge(target, {DeviceFact::cuda(0)}, Mixing::kCpuScalars), Verdict::kBroken);
}

TEST(Judge, IndicesMayStayOnTheCpuButNotLeaveIt) {
  const OperandFact cpu_index{DeviceFact::cpu(), Trait::kNo, Role::kIndex};
  const OperandFact cuda_index{DeviceFact::cuda(0), Trait::kNo, Role::kIndex};
  EXPECT_EQ(judge({DeviceFact::cuda(1)}, cpu_index, Mixing::kExact), Verdict::kHolds);
  EXPECT_EQ(judge({DeviceFact::cpu()}, cuda_index, Mixing::kExact), Verdict::kBroken);
  EXPECT_EQ(judge({DeviceFact::cuda(1)}, cuda_index, Mixing::kExact), Verdict::kBroken);
}

TEST(Judge, NothingToCompareHolds) {
  EXPECT_EQ(judge(std::span<const OperandFact>(), Mixing::kExact), Verdict::kHolds);
}

TEST(Message, IsPyTorchsText) {
  EXPECT_EQ(message("cuda:0", "cpu"),
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 "
            "and cpu!");
  EXPECT_EQ(message("cuda:0", "cpu", {.name = "mat1", .method = "wrapper_CUDA_addmm"}),
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 "
            "and cpu! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)");
}

TEST(Message, VariantsArePyTorchsText) {
  EXPECT_EQ(message_since_2_8("cuda:0", "cpu", {.name = "mat1", .method = "wrapper_CUDA_addmm"}),
            "Expected all tensors to be on the same device, but got mat1 is on cpu, different from "
            "other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)");
  EXPECT_EQ(convolution_message("cuda:0", "cpu"),
            "Input type (CUDAFloatType) and weight type (CPUFloatType) should be the same");
  EXPECT_EQ(convolution_message("cpu", "cuda:1"),
            "Input type (CPUFloatType) and weight type (CUDAFloatType) should be the same or input "
            "should be a MKLDNN tensor and weight is a dense tensor");
  EXPECT_EQ(recurrent_message("cuda:0", "hidden", "cpu"),
            "Input and hidden tensors are not at the same device, found input tensor at cuda:0 and "
            "hidden tensor at cpu");
  EXPECT_EQ(index_message("cpu"),
            "indices should be either on cpu or on the same device as the indexed tensor (cpu)");
  EXPECT_EQ(too_many_scalars_message(), "Trying to pass too many CPU scalars to non-CPU kernel!");
  EXPECT_EQ(attention_message("cuda:0", "cpu", "cpu"),
            "Expected query, key, and value to have the same device type, but got query.device: "
            "cuda:0 key.device: cpu and value.device: cpu instead.");
}

}  // namespace
}  // namespace placecheck::rules::device_mismatch
