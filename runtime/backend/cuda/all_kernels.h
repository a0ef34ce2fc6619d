// Every kernel that may run on a CUDA device. A table, written down: what is missing here fails on
// a device with an error that names it.
#ifndef PLACECHECK_RUNTIME_BACKEND_CUDA_ALL_KERNELS_H_
#define PLACECHECK_RUNTIME_BACKEND_CUDA_ALL_KERNELS_H_

#include <cstdint>

#include "runtime/optim/kernels.h"
#include "runtime/tensor/kernels/batch_norm.h"
#include "runtime/tensor/kernels/conv.h"
#include "runtime/tensor/kernels/elementwise.h"
#include "runtime/tensor/kernels/gemm.h"
#include "runtime/tensor/kernels/loss.h"
#include "runtime/tensor/kernels/reduce.h"

namespace placecheck::runtime::kernels {

template <typename Op, typename T, typename Result, typename Visit>
void for_each_binary(Visit& visit) {
  visit.template operator()<Binary<Op, T, Result>>();
  visit.template operator()<BinaryNumber<Op, T, Result>>();
  visit.template operator()<NumberBinary<Op, T, Result>>();
  visit.template operator()<BinaryStrided<Op, T, Result>>();
}

template <typename To, typename Visit>
void for_each_conversion(Visit& visit) {
  visit.template operator()<Convert<To, float>>();
  visit.template operator()<Convert<To, double>>();
  visit.template operator()<Convert<To, std::int64_t>>();
  visit.template operator()<Convert<To, bool>>();
  visit.template operator()<Convert<To, Half>>();
  visit.template operator()<Fill<To>>();
  visit.template operator()<FillStrided<To>>();
  for_each_binary<Eq, To, bool>(visit);
}

template <typename T, typename Visit>
void for_each_number(Visit& visit) {
  for_each_conversion<T>(visit);
  for_each_binary<Add, T, T>(visit);
  for_each_binary<Sub, T, T>(visit);
  for_each_binary<Mul, T, T>(visit);
  for_each_binary<Div, T, T>(visit);
  visit.template operator()<BinaryNumber<Gt, T, bool>>();
  visit.template operator()<Count<T>>();
  visit.template operator()<Uniform<T>>();
  visit.template operator()<Sum<T>>();
  visit.template operator()<ArgMax<T>>();
}

template <typename T, typename Visit>
void for_each_unary(Visit& visit) {
  visit.template operator()<Unary<Exp, T>>();
  visit.template operator()<Unary<Log, T>>();
  visit.template operator()<Unary<Sqrt, T>>();
  visit.template operator()<Unary<Abs, T>>();
  visit.template operator()<Unary<Sign, T>>();
  visit.template operator()<Unary<Relu, T>>();
  visit.template operator()<Unary<Sigmoid, T>>();
  visit.template operator()<Unary<Tanh, T>>();
}

template <typename T, typename Parameter, typename Visit>
void for_each_batch_norm(Visit& visit) {
  visit.template operator()<BatchNormTrain<T, Parameter>>();
  visit.template operator()<BatchNormEval<T, Parameter>>();
  visit.template operator()<BatchNormGrad<T, Parameter>>();
}

// What works on stored halves, too.
template <typename T, typename Visit>
void for_each_storable(Visit& visit) {
  for_each_number<T>(visit);
  for_each_unary<T>(visit);
  for_each_binary<ReluGrad, T, T>(visit);
  for_each_binary<SigmoidGrad, T, T>(visit);
  for_each_binary<TanhGrad, T, T>(visit);
  visit.template operator()<BinaryNumber<Pow, T>>();
  visit.template operator()<Normal<T>>();
  visit.template operator()<Dropout<T>>();
  visit.template operator()<Gemm<T>>();
  visit.template operator()<Sgd<T>>();
  visit.template operator()<SgdMomentum<T>>();
  visit.template operator()<AdamStep<T>>();
  visit.template operator()<Softmax<T>>();
  visit.template operator()<SoftmaxGrad<T>>();
  visit.template operator()<NllLoss<T>>();
  visit.template operator()<NllLossGrad<T>>();
  visit.template operator()<Embedding<T>>();
  visit.template operator()<Unfold<T>>();
  visit.template operator()<MaxPool<T>>();
  visit.template operator()<MaxPoolGrad<T>>();
  for_each_batch_norm<T, T>(visit);
}

// What sums up in memory, which halves leave to floats.
template <typename T, typename Visit>
void for_each_floating(Visit& visit) {
  for_each_storable<T>(visit);
  visit.template operator()<FoldSum<T>>();
  visit.template operator()<EmbeddingGrad<T>>();
}

// visit.operator()<Kernel>() for all of them.
template <typename Visit>
void for_each_kernel(Visit visit) {
  for_each_conversion<bool>(visit);
  for_each_number<std::int64_t>(visit);
  visit.template operator()<BinaryNumber<Pow, std::int64_t>>();
  for_each_storable<Half>(visit);
  for_each_batch_norm<Half, float>(visit);
  visit.template operator()<Gemm<Half, float>>();
  for_each_floating<float>(visit);
  for_each_floating<double>(visit);
}

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_BACKEND_CUDA_ALL_KERNELS_H_
