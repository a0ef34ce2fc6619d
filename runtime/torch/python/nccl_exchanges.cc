// Collectives that move data as it is: broadcast, all_gather, gather, scatter, all_to_all, barrier.
#include "runtime/torch/python/nccl_group.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include "runtime/torch/python/host_memory.h"
#include "runtime/torch/python/nccl_checks.h"

namespace placecheck::process_group {
namespace {

using c10d::OpType;
using Tensors = NcclGroup::Tensors;

// Lengths of the parts of an all_to_all, in elements.
std::vector<std::int64_t> part_sizes(const std::vector<std::int64_t>& splits,
                                     const at::Tensor& tensor, int ranks) {
  c10d::checkSplitSizes(splits, tensor, ranks);
  const std::int64_t rows = tensor.size(0);
  const std::int64_t row = rows == 0 ? 1 : tensor.numel() / rows;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks), rows / ranks * row);
  for (std::size_t i = 0; i < splits.size(); ++i) sizes[i] = splits[i] * row;
  return sizes;
}

}  // namespace

NcclGroup::WorkPtr NcclGroup::broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
  const at::Tensor& tensor = single_tensor(tensors);
  check_tensor(tensor, "broadcast");
  check_root(options.rootRank, size_, "ProcessGroupNCCL::broadcast");
  const at::Tensor memory = memory_of(as_real(tensor));
  CollectiveCall call = make_call("broadcast", as_real(tensor));
  call.count = memory.numel();
  call.root = options.rootRank;
  Tensors to(ranks());
  Tensors from(ranks());
  if (options.rootRank == rank_) {
    to.assign(ranks(), memory);
    to[static_cast<std::size_t>(rank_)] = at::Tensor();
  } else {
    from[static_cast<std::size_t>(options.rootRank)] = memory;
  }
  return submit(OpType::BROADCAST, {make_exchange(std::move(call), to, from)}, {tensor});
}

NcclGroup::WorkPtr NcclGroup::allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                                        const c10d::AllgatherOptions& /*options*/) {
  const at::Tensor& input = single_tensor(inputs);
  check_tensor(input, "all_gather");
  TORCH_CHECK_VALUE(outputs.size() == 1, "all_gather needs one list of output tensors");
  check_list(outputs[0], input, size_, "all_gather");
  Tensors from;
  std::vector<Landing> landings;
  for (const at::Tensor& output : outputs[0])
    from.push_back(landings.emplace_back(as_real(output)).memory());
  return submit(OpType::ALLGATHER,
                {make_exchange(make_call("all_gather", input),
                               Tensors(ranks(), memory_of(as_real(input))), from,
                               [landings] {
                                 for (const Landing& landing : landings) landing.finish();
                               })},
                outputs[0]);
}

NcclGroup::Collective NcclGroup::make_allgather(const at::Tensor& output, const at::Tensor& input) {
  check_tensor(input, "all_gather_into_tensor");
  check_tensor(output, "all_gather_into_tensor");
  TORCH_CHECK_TYPE(input.dtype() == output.dtype(),
                   "output tensor must have the same type as input tensor");
  TORCH_CHECK_VALUE(input.numel() * size_ == output.numel(),
                    "output tensor size must be equal to world_size times input tensor size");
  const at::Tensor memory = memory_of(as_real(input));
  CollectiveCall call = make_call("all_gather_into_tensor", input);
  call.count = input.numel();
  return make_exchange(std::move(call), Tensors(ranks(), memory),
                       memory_of(as_real(output)).view({size_, memory.numel()}).unbind(0));
}

NcclGroup::WorkPtr NcclGroup::_allgather_base(at::Tensor& output, at::Tensor& input,
                                              const c10d::AllgatherOptions& /*options*/) {
  return submit(OpType::_ALLGATHER_BASE, {make_allgather(output, input)}, {output});
}

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
NcclGroup::WorkPtr NcclGroup::allgather_into_tensor_coalesced(
    Tensors& outputs, Tensors& inputs, const c10d::AllgatherOptions& /*options*/) {
  check_same_device(inputs, "all_gather_into_tensor");
  std::vector<Collective> collectives;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    collectives.push_back(make_allgather(outputs[i], inputs.at(i)));
  }
  return submit(kCoalesced, std::move(collectives), outputs);
}
#endif

NcclGroup::WorkPtr NcclGroup::gather(std::vector<Tensors>& outputs, Tensors& inputs,
                                     const c10d::GatherOptions& options) {
  const at::Tensor& input = single_tensor(inputs);
  check_tensor(input, "gather");
  check_root(options.rootRank, size_, "ProcessGroupNCCL::gather");
  CollectiveCall call = make_call("gather", input);
  call.root = options.rootRank;
  call.count = input.numel();
  Tensors to(ranks());
  Tensors from(ranks());
  std::vector<Landing> landings;
  to[static_cast<std::size_t>(options.rootRank)] = memory_of(as_real(input));
  if (options.rootRank == rank_) {
    TORCH_CHECK_VALUE(outputs.size() == 1,
                      "ProcessGroupNCCL::gather: requires a single-element output list containing "
                      "a list with ",
                      size_, " tensors.");
    check_list(outputs[0], input, size_, "gather");
    for (std::size_t i = 0; i < ranks(); ++i) {
      from[i] = landings.emplace_back(as_real(outputs[0][i])).memory();
    }
  } else {
    TORCH_CHECK_VALUE(outputs.empty(), "requires empty output on non-root");
  }
  return submit(OpType::GATHER,
                {make_exchange(std::move(call), to, from,
                               [landings] {
                                 for (const Landing& landing : landings) landing.finish();
                               })},
                outputs.empty() ? Tensors{} : outputs[0]);
}

NcclGroup::WorkPtr NcclGroup::scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                                      const c10d::ScatterOptions& options) {
  const at::Tensor& output = single_tensor(outputs);
  check_tensor(output, "scatter");
  check_root(options.rootRank, size_, "ProcessGroupNCCL::scatter");
  CollectiveCall call = make_call("scatter", output);
  call.root = options.rootRank;
  call.count = output.numel();
  Tensors to(ranks());
  Tensors from(ranks());
  from[static_cast<std::size_t>(options.rootRank)] = memory_of(as_real(output));
  if (options.rootRank == rank_) {
    TORCH_CHECK_VALUE(inputs.size() == 1,
                      "ProcessGroupNCCL::scatter: requires a single-element input list containing "
                      "a list with ",
                      size_, " tensors.");
    check_list(inputs[0], output, size_, "scatter");
    for (std::size_t i = 0; i < ranks(); ++i) to[i] = outgoing(as_real(inputs[0][i]));
  } else {
    TORCH_CHECK_VALUE(inputs.empty(), "requires empty input on non-root");
  }
  return submit(OpType::SCATTER, {make_exchange(std::move(call), to, from)}, outputs);
}

#ifdef C10D_BACKEND_HAS_HOOKS
NcclGroup::WorkPtr NcclGroup::gather_into_tensor(at::Tensor& output, at::Tensor& input,
                                                 const c10d::GatherOptions& options) {
  std::vector<Tensors> outputs;
  if (options.rootRank == rank_) {
    TORCH_CHECK_VALUE(output.numel() == input.numel() * size_,
                      "output tensor size must be equal to world_size times input tensor size");
    outputs.push_back(output.view({size_, -1}).unbind(0));
  }
  Tensors inputs{input};
  return gather(outputs, inputs, options);
}
#endif

NcclGroup::WorkPtr NcclGroup::alltoall_base(at::Tensor& output, at::Tensor& input,
                                            std::vector<int64_t>& output_splits,
                                            std::vector<int64_t>& input_splits,
                                            const c10d::AllToAllOptions& /*options*/) {
  check_tensor(output, "all_to_all_single");
  check_tensor(input, "all_to_all_single");
  TORCH_CHECK(
      input.scalar_type() == output.scalar_type() &&
          (!output_splits.empty() || !input_splits.empty() || input.numel() == output.numel()),
      "Tensors are not equal in size or data type");
  const Tensors to = memory_of(input).split_with_sizes(part_sizes(input_splits, input, size_));
  const Tensors from = memory_of(output).split_with_sizes(part_sizes(output_splits, output, size_));
  return submit(OpType::ALLTOALL_BASE,
                {make_exchange(make_call("all_to_all_single", input), to, from)}, {output});
}

NcclGroup::WorkPtr NcclGroup::alltoall(Tensors& outputs, Tensors& inputs,
                                       const c10d::AllToAllOptions& /*options*/) {
  TORCH_CHECK_VALUE(!inputs.empty() && !outputs.empty(), "Tensor list must be nonempty");
  check_list(outputs, inputs[0], size_, "all_to_all");
  check_list(inputs, inputs[0], size_, "all_to_all");
  Tensors to;
  Tensors from;
  for (const at::Tensor& input : inputs) {
    check_tensor(input, "all_to_all");
    to.push_back(memory_of(as_real(input)));
  }
  for (const at::Tensor& output : outputs) {
    check_tensor(output, "all_to_all");
    from.push_back(memory_of(as_real(output)));
  }
  return submit(OpType::ALLTOALL, {make_exchange(make_call("all_to_all", inputs[0]), to, from)},
                outputs);
}

NcclGroup::WorkPtr NcclGroup::barrier(const c10d::BarrierOptions& options) {
  CollectiveCall call = make_call("barrier", barrier_device(options));
  std::vector<Collective> meeting;
  meeting.push_back(make_exchange(std::move(call), Tensors(ranks()), Tensors(ranks())));
  return submit(OpType::BARRIER, std::move(meeting), {});
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
