// all_reduce, reduce and reduce_scatter.
#include "runtime/torch/python/nccl_group.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <algorithm>

#include "runtime/torch/python/host_memory.h"
#include "runtime/torch/python/nccl_checks.h"
#include "runtime/torch/python/reductions.h"

namespace placecheck::process_group {
namespace {

using c10d::OpType;
using c10d::ReduceOp;
using Tensors = NcclGroup::Tensors;

// Up to here each rank sends all that it has to all: one exchange instead of two.
constexpr std::int64_t kSmallAllReduce = 64 << 10;

// Complex numbers are sent as pairs of real ones, which only sums get right.
void check_complex(const at::Tensor& tensor, const ReduceOp& reduction, const char* operation) {
  const bool is_sum = reduction.op_ == ReduceOp::SUM || reduction.op_ == ReduceOp::AVG ||
                      reduction.op_ == ReduceOp::PREMUL_SUM;
  TORCH_CHECK(is_sum || !tensor.is_complex(), operation, " does not support ",
              reduction_name(reduction), " on complex tensors");
}

}  // namespace

void NcclGroup::all_reduce_parts(const at::Tensor& memory, const ReduceOp& reduction,
                                 const CollectiveCall& call, const std::atomic<int>& waits) {
  const auto own = static_cast<std::size_t>(rank_);
  const at::Tensor mine = contribution(memory, reduction);
  Tensors all(ranks());
  if (memory.nbytes() <= kSmallAllReduce) {
    for (at::Tensor& part : all) part = at::empty_like(mine);
    all[own] = mine;
    exchange_parts(Tensors(ranks(), mine), all, call, waits);
    memory.copy_(reduced(all, reduction));
    return;
  }
  // Each rank reduces a part, then gives it to all.
  const std::int64_t share = (memory.numel() + size_ - 1) / size_;
  std::vector<std::int64_t> sizes;
  for (std::int64_t done = 0; sizes.size() < ranks(); done += sizes.back()) {
    sizes.push_back(std::min(share, memory.numel() - done));
  }
  const Tensors parts = mine.split_with_sizes(sizes);
  const Tensors results = memory.split_with_sizes(sizes);
  for (at::Tensor& part : all) part = at::empty_like(parts[own]);
  all[own] = parts[own];
  exchange_parts(parts, all, call, waits);
  results[own].copy_(reduced(all, reduction));
  exchange_parts(Tensors(ranks(), results[own]), results, call, waits);
}

NcclGroup::Collective NcclGroup::make_allreduce(const at::Tensor& tensor,
                                                const ReduceOp& reduction) {
  check_tensor(tensor, "all_reduce");
  check_complex(tensor, reduction, "all_reduce");
  const at::Tensor real = as_real(tensor);
  check_reduction(reduction, real.scalar_type());
  CollectiveCall call = make_call("all_reduce", real);
  call.count = real.numel();
  call.reduction = reduction_name(reduction);
  return {std::move(call), [this, memory = memory_of(real), reduction](
                               const Collective& self, const std::atomic<int>& waits) {
            all_reduce_parts(memory, reduction, self.call, waits);
          }};
}

NcclGroup::WorkPtr NcclGroup::allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) {
  const at::Tensor& tensor = single_tensor(tensors);
  return submit(OpType::ALLREDUCE, {make_allreduce(tensor, options.reduceOp)}, tensors);
}

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
NcclGroup::WorkPtr NcclGroup::allreduce_sparse(Tensors& /*tensors*/,
                                               const c10d::AllreduceOptions& /*options*/) {
  C10_THROW_ERROR(Error,
                  "NCCL does not support all_reduce with sparse tensors. Please use dense tensors "
                  "instead.");
}
#endif

NcclGroup::WorkPtr NcclGroup::allreduce_coalesced(Tensors& tensors,
                                                  const c10d::AllreduceCoalescedOptions& options) {
  check_same_device(tensors, "all_reduce");
  std::vector<Collective> collectives;
  for (const at::Tensor& tensor : tensors) {
    collectives.push_back(make_allreduce(tensor, options.reduceOp));
  }
  return submit(kCoalesced, std::move(collectives), tensors);
}

NcclGroup::WorkPtr NcclGroup::reduce(Tensors& tensors, const c10d::ReduceOptions& options) {
  const at::Tensor& tensor = single_tensor(tensors);
  check_tensor(tensor, "reduce");
  check_complex(tensor, options.reduceOp, "reduce");
  check_root(options.rootRank, size_, "ProcessGroupNCCL::reduce");
  const at::Tensor real = as_real(tensor);
  check_reduction(options.reduceOp, real.scalar_type());
  const at::Tensor memory = memory_of(real);
  CollectiveCall call = make_call("reduce", real);
  call.count = memory.numel();
  call.root = options.rootRank;
  call.reduction = reduction_name(options.reduceOp);
  return submit(OpType::REDUCE,
                {{std::move(call),
                  [this, memory, reduction = options.reduceOp,
                   root = static_cast<std::size_t>(options.rootRank)](
                      const Collective& self, const std::atomic<int>& waits) {
                    Tensors to(ranks());
                    Tensors from(ranks());
                    to[root] = contribution(memory, reduction);
                    const bool is_root = static_cast<std::size_t>(rank_) == root;
                    for (at::Tensor& part : from) {
                      if (is_root) part = at::empty_like(memory);
                    }
                    exchange_parts(to, from, self.call, waits);
                    if (is_root) memory.copy_(reduced(from, reduction));
                  }}},
                tensors);
}

NcclGroup::WorkPtr NcclGroup::reduce_scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                                             const c10d::ReduceScatterOptions& options) {
  const at::Tensor& output = single_tensor(outputs);
  check_tensor(output, "reduce_scatter");
  TORCH_CHECK_VALUE(inputs.size() == 1, "reduce_scatter needs one list of input tensors");
  check_list(inputs[0], output, size_, "reduce_scatter");
  check_complex(output, options.reduceOp, "reduce_scatter");
  check_reduction(options.reduceOp, as_real(output).scalar_type());
  CollectiveCall call = make_call("reduce_scatter", as_real(output));
  call.reduction = reduction_name(options.reduceOp);
  Tensors to;
  Tensors from;
  const at::Tensor memory = memory_of(as_real(output));
  for (const at::Tensor& input : inputs[0]) {
    to.push_back(contribution(outgoing(as_real(input)), options.reduceOp));
    from.push_back(at::empty_like(memory));
  }
  return submit(OpType::REDUCE_SCATTER,
                {make_exchange(std::move(call), to, from,
                               [memory, from, reduction = options.reduceOp] {
                                 memory.copy_(reduced(from, reduction));
                               })},
                outputs);
}

NcclGroup::Collective NcclGroup::make_reduce_scatter(const at::Tensor& output,
                                                     const at::Tensor& input,
                                                     const ReduceOp& reduction) {
  check_tensor(output, "reduce_scatter_tensor");
  check_tensor(input, "reduce_scatter_tensor");
  TORCH_CHECK_TYPE(input.dtype() == output.dtype(),
                   "input tensor must be the same type as the output tensor.");
  TORCH_CHECK_VALUE(input.numel() == output.numel() * size_,
                    "input tensor must be the same size as output size times world size");
  check_complex(output, reduction, "reduce_scatter_tensor");
  const at::Tensor memory = memory_of(as_real(output));
  check_reduction(reduction, memory.scalar_type());
  CollectiveCall call = make_call("reduce_scatter_tensor", as_real(output));
  call.count = memory.numel();
  call.reduction = reduction_name(reduction);
  return {std::move(call), [this, memory, input_memory = memory_of(as_real(input)), reduction](
                               const Collective& self, const std::atomic<int>& waits) {
            Tensors from(ranks());
            for (at::Tensor& part : from) part = at::empty_like(memory);
            exchange_parts(
                contribution(input_memory, reduction).view({size_, memory.numel()}).unbind(0), from,
                self.call, waits);
            memory.copy_(reduced(from, reduction));
          }};
}

NcclGroup::WorkPtr NcclGroup::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                                   const c10d::ReduceScatterOptions& options) {
  return submit(OpType::_REDUCE_SCATTER_BASE,
                {make_reduce_scatter(output, input, options.reduceOp)}, {output});
}

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
NcclGroup::WorkPtr NcclGroup::reduce_scatter_tensor_coalesced(
    Tensors& outputs, Tensors& inputs, const c10d::ReduceScatterOptions& options) {
  check_same_device(inputs, "reduce_scatter_tensor");
  std::vector<Collective> collectives;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    collectives.push_back(make_reduce_scatter(outputs[i], inputs.at(i), options.reduceOp));
  }
  return submit(kCoalesced, std::move(collectives), outputs);
}
#endif

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
