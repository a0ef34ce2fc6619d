// Products of matrices, and the linear layer made of them.
#include <algorithm>
#include <limits>

#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/kernels/gemm.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/matrix.h"
#include "runtime/tensor/op_rows.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

using autograd::is_recorded;
using autograd::Pass;
using autograd::record;
using autograd::Saved;

// A matrix as BLAS wants it: rows without gaps, or the transpose of such.
struct Operand {
  Tensor tensor;
  bool is_transposed = false;
  std::int64_t stride = 1;
};

bool has_rows(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
              std::int64_t column_stride) {
  return (column_stride == 1 || columns == 1) && (row_stride >= columns || rows == 1);
}

Operand operand(const Tensor& matrix) {
  std::int64_t rows = matrix.size(0);
  std::int64_t columns = matrix.size(1);
  std::int64_t row_stride = matrix.strides()[0];
  std::int64_t column_stride = matrix.strides()[1];
  if (has_rows(rows, columns, row_stride, column_stride)) {
    return {matrix, false, std::max(row_stride, std::max<std::int64_t>(columns, 1))};
  }
  if (has_rows(columns, rows, column_stride, row_stride)) {
    return {matrix, true, std::max(column_stride, std::max<std::int64_t>(rows, 1))};
  }
  return {matrix.contiguous(), false, std::max<std::int64_t>(columns, 1)};
}

int narrow_size(std::int64_t size) {
  check(size <= std::numeric_limits<int>::max(), "a matrix is too large for BLAS: ", size);
  return static_cast<int>(size);
}

void check_matrices(const char* name, const Tensor& a, const Tensor& b) {
  check(a.dim() == 2 && b.dim() == 2, name, " must be a matrix, got ", a.dim(), "-D and ", b.dim(),
        "-D tensors");
  check(a.size(1) == b.size(0), "mat1 and mat2 shapes cannot be multiplied (", a.size(0), "x",
        a.size(1), " and ", b.size(0), "x", b.size(1), ")");
  check(a.dtype() == b.dtype(),
        "expected m1 and m2 to have the same dtype, but got: ", row_of(a.dtype()).c_name,
        " != ", row_of(b.dtype()).c_name);
}

template <typename T, typename Out>
void run_product(const Tensor& out, const Operand& a, const Operand& b, std::int64_t depth,
                 double beta) {
  kernels::Gemm<T, Out> kernel{.c = out.data_ptr<Out>(),
                               .a = a.tensor.data_ptr<T>(),
                               .b = b.tensor.data_ptr<T>(),
                               .rows = narrow_size(out.size(0)),
                               .columns = narrow_size(out.size(1)),
                               .depth = narrow_size(depth),
                               .stride_a = narrow_size(a.stride),
                               .stride_b = narrow_size(b.stride),
                               .stride_c = narrow_size(std::max<std::int64_t>(out.size(1), 1)),
                               .a_is_transposed = a.is_transposed,
                               .b_is_transposed = b.is_transposed,
                               .alpha = ComputeT<T>(1),
                               .beta = static_cast<ComputeT<T>>(beta)};
  bool is_empty = out.numel() == 0;
  run_kernel(out.device(), is_empty ? 0 : 1, kernel, {&out, &a.tensor, &b.tensor});
}

}  // namespace

void multiply_into(const Tensor& out, const Tensor& a, const Tensor& b, double beta) {
  NoGradGuard no_grad;
  Operand left = operand(a);
  Operand right = operand(b);
  if (a.size(1) == 0) {
    if (beta == 0) out.fill_(0);
    return;
  }
  dispatch_storable(a.dtype(), "addmm", [&]<typename T>(T) {
    bool is_wide = out.dtype() == ScalarTypeOf<ComputeT<T>>::kValue;
    if (is_wide) return run_product<T, ComputeT<T>>(out, left, right, a.size(1), beta);
    run_product<T, T>(out, left, right, a.size(1), beta);
  });
}

Tensor mm(const Tensor& a, const Tensor& b) {
  check_operands(rows::kMm, {&a, &b});
  check_matrices("self", a, b);
  Tensor out = make_tensor({a.size(0), b.size(1)}, a.dtype(), common_device({&a, &b}));
  multiply_into(out, a, b);
  if (is_recorded(a, b)) {
    record("MmBackward0", {out}, {a, b}, [a = Saved::input(a), b = Saved::input(b)](Pass& pass) {
      if (pass.needs(0)) pass.give(0, mm(pass.grad(), b.get(pass).t()));
      if (pass.needs(1)) pass.give(1, mm(a.get(pass).t(), pass.grad()));
    });
  }
  return out;
}

Tensor matmul(const Tensor& a, const Tensor& b) { return mm(a, b); }
Tensor Tensor::mm(const Tensor& other) const { return runtime::mm(*this, other); }

Tensor addmm(const Tensor& bias, const Tensor& a, const Tensor& b) {
  check_operands(rows::kAddmm, {&bias, &a, &b});
  check_matrices("mat1", a, b);
  check(bias.dtype() == b.dtype(), "self and mat2 must have the same dtype, but got ",
        row_of(bias.dtype()).name, " and ", row_of(b.dtype()).name);
  Tensor out = make_tensor({a.size(0), b.size(1)}, a.dtype(), common_device({&bias, &a, &b}));
  {
    NoGradGuard no_grad;
    out.copy_(bias);
    multiply_into(out, a, b, 1);
  }
  if (is_recorded(bias, a, b)) {
    record("AddmmBackward0", {out}, {bias, a, b},
           [sizes = bias.sizes(), a = Saved::input(a), b = Saved::input(b)](Pass& pass) {
             if (pass.needs(0)) pass.give(0, sum_to(pass.grad(), sizes));
             if (pass.needs(1)) pass.give(1, runtime::mm(pass.grad(), b.get(pass).t()));
             if (pass.needs(2)) pass.give(2, runtime::mm(a.get(pass).t(), pass.grad()));
           });
  }
  return out;
}

namespace {

// rows W^T + b. Its gradients have the layouts of what they belong to, unlike those of a product
// with a transposed view.
Tensor linear_rows(const Tensor& rows, const Tensor& weight, const Tensor& bias) {
  Tensor out;
  {
    NoGradGuard no_grad;
    Tensor transposed = weight.t();
    out = bias.defined() ? addmm(bias, rows, transposed) : runtime::mm(rows, transposed);
  }
  if (!is_recorded(bias, rows, weight)) return out;
  record(bias.defined() ? "AddmmBackward0" : "MmBackward0", {out}, {bias, rows, weight},
         [sizes = bias.defined() ? bias.sizes() : Shape(), rows = Saved::input(rows),
          weight = Saved::input(weight)](Pass& pass) {
           if (pass.needs(0)) pass.give(0, sum_to(pass.grad(), sizes));
           if (pass.needs(1)) pass.give(1, runtime::mm(pass.grad(), weight.get(pass)));
           if (pass.needs(2)) pass.give(2, runtime::mm(pass.grad().t(), rows.get(pass)));
         });
  return out;
}

}  // namespace

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  check(input.dim() >= 1, "both arguments to linear need to be at least 1D, but they are ",
        input.dim(), "D and ", weight.dim(), "D");
  bool is_matrix = input.dim() == 2;
  Tensor rows = is_matrix ? input : input.reshape({-1, input.size(-1)});
  Tensor out = linear_rows(rows, weight, bias);
  if (is_matrix) return out;
  Shape sizes = input.sizes();
  sizes[sizes.size() - 1] = weight.size(0);
  return out.view(sizes);
}

}  // namespace placecheck::runtime
