#include "runtime/torch/python/reductions.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <array>
#include <cstddef>

#include "runtime/torch/virtual_cuda/release.h"

namespace placecheck::process_group {
namespace {

using c10d::ReduceOp;

constexpr std::array<const char*, 10> kNames = {"SUM",  "AVG", "PRODUCT", "MIN",        "MAX",
                                                "BAND", "BOR", "BXOR",    "PREMUL_SUM", "UNUSED"};

// In which type numbers of `dtype` are added up.
c10::ScalarType computed_as(c10::ScalarType dtype) {
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  return c10::isReducedFloatingType(dtype) ? c10::kFloat : dtype;
#else
  return dtype == at::kHalf || dtype == at::kBFloat16 ? at::kFloat : dtype;
#endif
}

ReduceOp::RedOpType for_bools(ReduceOp::RedOpType type) {
  if (type == ReduceOp::SUM) return ReduceOp::MAX;
  if (type == ReduceOp::PRODUCT) return ReduceOp::MIN;
  return type;
}

void accumulate(at::Tensor& total, const at::Tensor& next, ReduceOp::RedOpType type) {
  switch (type) {
    case ReduceOp::PRODUCT:
      total.mul_(next);
      return;
    case ReduceOp::MIN:
      total = total.scalar_type() == at::kBool ? at::logical_and(total, next)
                                               : at::minimum(total, next);
      return;
    case ReduceOp::MAX:
      total =
          total.scalar_type() == at::kBool ? at::logical_or(total, next) : at::maximum(total, next);
      return;
    default:
      total.add_(next);
  }
}

// NCCL reduces 8-bit floating types from 2.24 on, and PyTorch since it is built with that.
void check_float8([[maybe_unused]] c10::ScalarType dtype) {
#if PLACECHECK_TORCH_AT_LEAST(2, 8)
  TORCH_CHECK(dtype != at::kFloat8_e5m2fnuz && dtype != at::kFloat8_e4m3fnuz,
              "Unsupported Float8 type for NCCL reduction");
#elif PLACECHECK_TORCH_AT_LEAST(2, 6)
  TORCH_CHECK(!c10::isFloat8Type(dtype),
              "Float8 dtypes are not currenlty supported for NCCL reductions");
#endif
}

}  // namespace

std::string reduction_name(const ReduceOp& reduction) {
  return kNames.at(static_cast<std::size_t>(reduction.op_));
}

void check_reduction(const ReduceOp& reduction, c10::ScalarType dtype) {
  check_float8(dtype);
  if (dtype == at::kBool && reduction.op_ == ReduceOp::AVG) {
    C10_THROW_ERROR(TypeError, "Cannot use ReduceOp.AVG with Boolean inputs");
  }
  switch (reduction.op_) {
    case ReduceOp::BAND:
    case ReduceOp::BOR:
    case ReduceOp::BXOR:
      C10_THROW_ERROR(ValueError,
                      "Cannot use ReduceOp." + reduction_name(reduction) + " with NCCL");
    case ReduceOp::UNUSED:
      C10_THROW_ERROR(ValueError, "Unhandled ReduceOp");
    default:
      return;
  }
}

at::Tensor contribution(const at::Tensor& tensor, const ReduceOp& reduction) {
  if (reduction.op_ != ReduceOp::PREMUL_SUM) return tensor;
  TORCH_CHECK(reduction.supplement_, "Missing supplement for PREMUL_SUM");
  const auto* factor =
      reinterpret_cast<const c10d::NCCLPreMulSumSupplement*>(reduction.supplement_.get());
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  const at::Tensor given = factor->tensor_factor;
#else
  // One for each device of the process.
  const at::Tensor given =
      factor->tensor_factors.empty() ? at::Tensor() : factor->tensor_factors[0];
#endif
  const c10::ScalarType dtype = computed_as(tensor.scalar_type());
  const at::Tensor multiplier =
      given.defined() ? given.to(at::kCPU, dtype).reshape({})
                      : at::scalar_tensor(factor->double_factor, at::TensorOptions().dtype(dtype));
  return tensor.to(dtype).mul(multiplier).to(tensor.scalar_type());
}

at::Tensor reduced(const std::vector<at::Tensor>& contributions, const ReduceOp& reduction) {
  const c10::ScalarType dtype = contributions.at(0).scalar_type();
  const auto type = dtype == at::kBool ? for_bools(reduction.op_) : reduction.op_;
  at::Tensor total = contributions[0].to(computed_as(dtype), /*non_blocking=*/false, /*copy=*/true);
  for (std::size_t i = 1; i < contributions.size(); ++i) {
    accumulate(total, contributions[i].to(computed_as(dtype)), type);
  }
  if (type == ReduceOp::AVG) {
    const auto ranks = static_cast<std::int64_t>(contributions.size());
    if (c10::isIntegralType(dtype, /*includeBool=*/false)) {
      total.div_(ranks, "trunc");
    } else {
      total.div_(ranks);
    }
  }
  return total.to(dtype);
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
