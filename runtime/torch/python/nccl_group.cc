#include "runtime/torch/python/nccl_group.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <future>
#include <string_view>

#include "rules/nccl_usage.h"
#include "runtime/core/visible_devices.h"
#include "runtime/torch/python/caller_place.h"
#include "runtime/torch/python/nccl_checks.h"
#include "runtime/torch/python/reductions.h"
#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/report.h"

namespace placecheck::process_group {
namespace {

using Tensors = NcclGroup::Tensors;
using c10d::OpType;
using c10d::ReduceOp;

// Collectives are done one after the other, so each may use the same tags.
constexpr int kCallTag = 0;
constexpr int kDataTag = 1;
// A point-to-point call has three: the sender's and the receiver's call, and the data.
constexpr int kFirstPointToPointTag = 16;
constexpr int kPointToPointTags = 1 << 20;

// Up to here each rank sends all that it has to all: one exchange instead of two.
constexpr std::int64_t kSmallAllReduce = 64 << 10;

// The memory of a device tensor, in the order in which it lies.
at::Tensor memory_of(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return at::empty({0}, at::dtype(tensor.scalar_type()));
  return at::from_blob(
      const_cast<void*>(tensor.const_data_ptr()), {tensor.numel()}, [tensor](void*) {},
      at::TensorOptions().dtype(tensor.scalar_type()));
}

// The same, with the tensor's shape.
at::Tensor host_view(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return at::empty(tensor.sizes(), at::dtype(tensor.scalar_type()));
  return at::from_blob(
      const_cast<void*>(tensor.const_data_ptr()), tensor.sizes(), tensor.strides(),
      [tensor](void*) {}, at::TensorOptions().dtype(tensor.scalar_type()));
}

at::Tensor as_real(const at::Tensor& tensor) {
  return tensor.is_complex() ? at::view_as_real(tensor) : tensor;
}

// Memory that a rank may fill for `tensor`, which may be strided; finish() brings it there.
struct Landing {
  at::Tensor memory;
  at::Tensor strided;

  explicit Landing(const at::Tensor& tensor) {
    if (tensor.is_contiguous()) {
      memory = memory_of(tensor);
    } else {
      strided = host_view(tensor);
      memory = at::empty({tensor.numel()}, strided.options());
    }
  }
  void finish() const {
    if (strided.defined()) strided.copy_(memory.view(strided.sizes()));
  }
};

// What a rank sends of `tensor`, which may be strided.
at::Tensor outgoing(const at::Tensor& tensor) {
  return tensor.is_contiguous() ? memory_of(tensor) : host_view(tensor).contiguous().view({-1});
}

std::int64_t size_of(const at::Tensor& part) { return part.defined() ? part.numel() : 0; }

// Which of the machine's GPUs a device of this process is.
std::int64_t gpu_of(c10::Device device) {
  static const std::vector<std::int64_t> kVisible = [] {
    const char* variable = std::getenv("CUDA_VISIBLE_DEVICES");
    return variable == nullptr ? std::vector<std::int64_t>{}
                               : runtime::parse_visible_numbers(variable);
  }();
  const auto index = static_cast<std::size_t>(device.index());
  return index < kVisible.size() ? kVisible[index] : device.index();
}

std::uint64_t host_hash() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return std::hash<std::string_view>()(name.data());
}

// Complex numbers are sent as pairs of real ones, which only sums get right.
void check_complex(const at::Tensor& tensor, const ReduceOp& reduction, const char* operation) {
  const bool is_sum = reduction.op_ == ReduceOp::SUM || reduction.op_ == ReduceOp::AVG ||
                      reduction.op_ == ReduceOp::PREMUL_SUM;
  TORCH_CHECK(is_sum || !tensor.is_complex(), operation, " does not support ",
              reduction_name(reduction), " on complex tensors");
}

// A broken rule that the ranks see together; there is no going on.
[[noreturn]] void refuse(const std::string& message) {
  if (virtual_cuda::is_reporting()) {
    virtual_cuda::report(rules::nccl_usage::kRule.id, message);
  }
  C10_THROW_ERROR(DistBackendError, message);
}

[[noreturn]] void refuse_duplicate_gpu(const std::string& message) {
  refuse(
      "NCCL error: invalid usage (run with NCCL_DEBUG=WARN for details)\nncclInvalidUsage: This "
      "usually reflects invalid usage of NCCL library.\nLast error:\n" +
      message);
}

void check_root(std::int64_t root, int size, const char* operation) {
  TORCH_CHECK_VALUE(root >= 0 && root < size, operation, ": invalid root rank: ", root);
}

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

Tensors split(const at::Tensor& memory, const std::vector<std::int64_t>& sizes) {
  return memory.split_with_sizes(sizes);
}

}  // namespace

NcclGroup::NcclGroup(RankLinks::Options links)
    : Backend(links.host->getRank(), links.host->getSize()),
      links_(std::move(links)),
      options_(c10::make_intrusive<Options>("nccl", links_.options().deadline)) {
#ifdef C10D_BACKEND_HAS_HOOKS
  for (const std::int64_t rank : links_.options().global_ranks) {
    options_->global_ranks_in_group.push_back(static_cast<std::uint64_t>(rank));
  }
#endif
}

#ifdef C10D_BACKEND_HAS_HOOKS
c10::intrusive_ptr<c10d::Backend> NcclGroup::split(const c10::intrusive_ptr<c10d::Store>& store,
                                                   const std::vector<int>& ranks,
                                                   const c10::intrusive_ptr<Options>& options) {
  const auto host_options = links_.options().host->getBackendOptions()->clone();
  RankLinks::Options links = links_.options();
  links.global_ranks.clear();
  host_options->global_ranks_in_group.clear();
  for (const int rank : ranks) {
    links.global_ranks.push_back(links_.global_rank(rank));
    host_options->global_ranks_in_group.push_back(
        static_cast<std::uint64_t>(links_.global_rank(rank)));
  }
  if (options) host_options->group_name = options->group_name;
  links.host = links_.options().host->split(store, ranks, host_options);
  if (!links.host) return nullptr;  // this rank is in none of the new groups
  return c10::make_intrusive<NcclGroup>(std::move(links));
}

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

void NcclGroup::eagerConnectSingleDevice(at::Device device) {
  std::vector<Collective> meeting;
  meeting.push_back(
      make_exchange(make_call("init_process_group", device), Tensors(ranks()), Tensors(ranks())));
  submit(OpType::BARRIER, std::move(meeting), {})->wait();
}

std::int64_t NcclGroup::communicator_of(c10::Device device) {
  TORCH_CHECK(!bound_device_id_ || *bound_device_id_ == device,
              "Attempt to perform collective on tensor not on device passed to "
              "init_process_group: the tensor is on ",
              device, ", the group is for ", *bound_device_id_);
  const auto next = static_cast<std::int64_t>(communicators_.size());
  return communicators_.emplace(device.index(), next).first->second;
}

CollectiveCall NcclGroup::make_call(const char* operation, c10::Device device) {
  static const std::uint64_t kHost = host_hash();
  CollectiveCall call;
  call.operation = operation;
  call.place = caller_place();
  call.communicator = communicator_of(device);
  call.device = device.index();
  call.gpu = gpu_of(device);
  call.host = kHost;
  call.send.resize(ranks());
  call.receive.resize(ranks());
  return call;
}

CollectiveCall NcclGroup::make_call(const char* operation, const at::Tensor& tensor) {
  // Only with errors reported instead of raised are there tensors in other places.
  CollectiveCall call = make_call(
      operation,
      tensor.is_cuda() ? tensor.device() : c10::Device(c10::kCUDA, virtual_cuda::current_device()));
  call.dtype = c10::toString(tensor.scalar_type());
  return call;
}

void NcclGroup::startCoalescing() { coalesced_.emplace(); }

NcclGroup::WorkPtr NcclGroup::endCoalescing() {
  TORCH_CHECK(coalesced_, "endCoalescing called without startCoalescing");
  Batch batch = std::move(*coalesced_);
  coalesced_.reset();
  if (!batch.work) batch.work = stream_.make_work(rank_, OpType::COALESCED);
  const WorkPtr work = batch.work;
  enqueue(stream_, std::move(batch));
  return work;
}

NcclGroup::WorkPtr NcclGroup::submit(OpType type, std::vector<Collective> collectives,
                                     const Tensors& results) {
  ++sequence_number_;
  Batch own;
  Batch& batch = coalesced_ ? *coalesced_ : own;
  if (!batch.work) {
    batch.work = stream_.make_work(rank_, coalesced_ ? OpType::COALESCED : type);
  }
  batch.work->add_results(results);
  for (Collective& collective : collectives) batch.collectives.push_back(std::move(collective));
  const WorkPtr work = batch.work;
  if (!coalesced_) enqueue(stream_, std::move(own));
  return work;
}

NcclGroup::WorkPtr NcclGroup::submit(OpType type, PointToPoint point_to_point,
                                     const at::Tensor& result) {
  const std::pair<int, bool> direction{point_to_point.peer, point_to_point.is_send};
  point_to_point.tag =
      kFirstPointToPointTag + 3 * (point_to_point_calls_[direction]++ % kPointToPointTags);
  if (coalesced_) {
    if (!coalesced_->work) coalesced_->work = stream_.make_work(rank_, OpType::COALESCED);
    coalesced_->work->add_results({result});
    coalesced_->point_to_point.push_back(std::move(point_to_point));
    return coalesced_->work;
  }
  std::unique_ptr<WorkStream>& stream = point_to_point_streams_[direction];
  if (!stream) stream = std::make_unique<WorkStream>();
  Batch batch;
  batch.work = stream->make_work(rank_, type);
  batch.work->add_results({result});
  batch.point_to_point.push_back(std::move(point_to_point));
  const WorkPtr work = batch.work;
  enqueue(*stream, std::move(batch));
  return work;
}

void NcclGroup::enqueue(WorkStream& stream, Batch batch) {
  auto work = std::move(batch.work);
  const auto shared = std::make_shared<const Batch>(std::move(batch));
  stream.add(std::move(work),
             [this, shared, &waits = stream.main_thread_waits()] { run(*shared, waits); });
}

void NcclGroup::run(const Batch& batch, const std::atomic<int>& waits) {
  const at::NoGradGuard no_grad;
  for (const Collective& collective : batch.collectives) {
    agree(collective.call, waits);
    collective.run(collective, waits);
  }
  // Calls of one batch do not wait for each other.
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < batch.point_to_point.size(); ++i) {
    others.push_back(std::async(std::launch::async, [&, i] {
      const at::NoGradGuard no_grad_here;
      run(batch.point_to_point[i], waits);
    }));
  }
  if (!batch.point_to_point.empty()) run(batch.point_to_point[0], waits);
  for (std::future<void>& other : others) other.get();
}

void NcclGroup::agree(const CollectiveCall& call, const std::atomic<int>& waits) {
  const auto bytes = static_cast<std::int64_t>(encoded_bytes(ranks()));
  const at::Tensor own = at::empty({bytes}, at::kChar);
  encode(call, ranks(), static_cast<char*>(own.data_ptr()));
  const Tensors to(ranks(), own);
  Tensors from(ranks());
  std::vector<Message> messages;
  for (int peer = 0; peer < size_; ++peer) {
    if (peer == rank_) continue;
    const auto slot = static_cast<std::size_t>(peer);
    from[slot] = at::empty_like(own);
    messages.push_back({Message::Direction::kReceive, peer, kCallTag, from[slot]});
    messages.push_back({Message::Direction::kSend, peer, kCallTag, own});
  }
  links_.exchange(messages, call, waits);
  std::vector<RankedCall> calls;
  for (int peer = 0; peer < size_; ++peer) {
    const at::Tensor& memory = peer == rank_ ? own : from[static_cast<std::size_t>(peer)];
    calls.push_back({links_.global_rank(peer),
                     decode(static_cast<const char*>(memory.const_data_ptr()), ranks())});
    links_.remember(peer, calls.back().call);
  }
  if (const auto difference = disagreement(calls)) {
    refuse("the ranks of a collective do not agree, and would wait for each other for ever: " +
           *difference);
  }
  if (const auto duplicate = duplicate_gpu(calls, static_cast<std::size_t>(rank_))) {
    refuse_duplicate_gpu(*duplicate);
  }
}

void NcclGroup::run(const PointToPoint& call, const std::atomic<int>& waits) {
  const auto bytes = static_cast<std::int64_t>(encoded_bytes(ranks()));
  const at::Tensor own = at::empty({bytes}, at::kChar);
  const at::Tensor others = at::empty_like(own);
  encode(call.call, ranks(), static_cast<char*>(own.data_ptr()));
  const int sender_tag = call.tag;
  const int receiver_tag = call.tag + 1;
  links_.exchange(
      {{Message::Direction::kReceive, call.peer, call.is_send ? receiver_tag : sender_tag, others},
       {Message::Direction::kSend, call.peer, call.is_send ? sender_tag : receiver_tag, own}},
      call.call, waits);
  const RankedCall mine{links_.global_rank(rank_), call.call};
  const RankedCall theirs{links_.global_rank(call.peer),
                          decode(static_cast<const char*>(others.const_data_ptr()), ranks())};
  links_.remember(call.peer, theirs.call);
  const RankedCall& sender = call.is_send ? mine : theirs;
  const RankedCall& receiver = call.is_send ? theirs : mine;
  const auto from = static_cast<std::size_t>(call.is_send ? rank_ : call.peer);
  const auto to = static_cast<std::size_t>(call.is_send ? call.peer : rank_);
  if (const auto duplicate = duplicate_gpu({mine, theirs}, 0)) refuse_duplicate_gpu(*duplicate);
  if (const auto difference = disagreement(sender, receiver, from, to)) refuse(*difference);
  links_.exchange({{call.is_send ? Message::Direction::kSend : Message::Direction::kReceive,
                    call.peer, call.tag + 2, call.memory}},
                  call.call, waits);
}

void NcclGroup::exchange_parts(const Tensors& to, const Tensors& from, const CollectiveCall& call,
                               const std::atomic<int>& waits) {
  std::vector<Message> messages;
  for (int peer = 0; peer < size_; ++peer) {
    const at::Tensor& outbound = to.at(static_cast<std::size_t>(peer));
    const at::Tensor& inbound = from.at(static_cast<std::size_t>(peer));
    if (peer == rank_) {
      if (outbound.defined() && inbound.defined() && !inbound.is_same(outbound)) {
        inbound.copy_(outbound);
      }
      continue;
    }
    if (inbound.defined()) {
      messages.push_back({Message::Direction::kReceive, peer, kDataTag, inbound});
    }
    if (outbound.defined()) {
      messages.push_back({Message::Direction::kSend, peer, kDataTag, outbound});
    }
  }
  links_.exchange(messages, call, waits);
}

NcclGroup::Collective NcclGroup::make_exchange(CollectiveCall call, Tensors to, Tensors from,
                                               std::function<void()> finish) {
  for (std::size_t i = 0; i < ranks(); ++i) {
    call.send[i] = size_of(to[i]);
    call.receive[i] = size_of(from[i]);
  }
  return {std::move(call),
          [this, to = std::move(to), from = std::move(from), finish = std::move(finish)](
              const Collective& self, const std::atomic<int>& waits) {
            exchange_parts(to, from, self.call, waits);
            if (finish) finish();
          }};
}

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
  const Tensors parts = process_group::split(mine, sizes);
  const Tensors results = process_group::split(memory, sizes);
  for (at::Tensor& part : all) part = at::empty_like(parts[own]);
  all[own] = parts[own];
  exchange_parts(parts, all, call, waits);
  results[own].copy_(reduced(all, reduction));
  exchange_parts(Tensors(ranks(), results[own]), results, call, waits);
}

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

NcclGroup::WorkPtr NcclGroup::allreduce_sparse(Tensors& /*tensors*/,
                                               const c10d::AllreduceOptions& /*options*/) {
  C10_THROW_ERROR(Error,
                  "NCCL does not support all_reduce with sparse tensors. Please use dense tensors "
                  "instead.");
}

NcclGroup::WorkPtr NcclGroup::allreduce_coalesced(Tensors& tensors,
                                                  const c10d::AllreduceCoalescedOptions& options) {
  check_same_device(tensors, "all_reduce");
  std::vector<Collective> collectives;
  for (const at::Tensor& tensor : tensors) {
    collectives.push_back(make_allreduce(tensor, options.reduceOp));
  }
  return submit(OpType::COALESCED, std::move(collectives), tensors);
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

NcclGroup::WorkPtr NcclGroup::allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                                        const c10d::AllgatherOptions& /*options*/) {
  const at::Tensor& input = single_tensor(inputs);
  check_tensor(input, "all_gather");
  TORCH_CHECK_VALUE(outputs.size() == 1, "all_gather needs one list of output tensors");
  check_list(outputs[0], input, size_, "all_gather");
  Tensors from;
  std::vector<Landing> landings;
  for (const at::Tensor& output : outputs[0])
    from.push_back(landings.emplace_back(as_real(output)).memory);
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

NcclGroup::WorkPtr NcclGroup::allgather_into_tensor_coalesced(
    Tensors& outputs, Tensors& inputs, const c10d::AllgatherOptions& /*options*/) {
  check_same_device(inputs, "all_gather_into_tensor");
  std::vector<Collective> collectives;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    collectives.push_back(make_allgather(outputs[i], inputs.at(i)));
  }
  return submit(OpType::COALESCED, std::move(collectives), outputs);
}

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
      from[i] = landings.emplace_back(as_real(outputs[0][i])).memory;
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

NcclGroup::WorkPtr NcclGroup::reduce_scatter_tensor_coalesced(
    Tensors& outputs, Tensors& inputs, const c10d::ReduceScatterOptions& options) {
  check_same_device(inputs, "reduce_scatter_tensor");
  std::vector<Collective> collectives;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    collectives.push_back(make_reduce_scatter(outputs[i], inputs.at(i), options.reduceOp));
  }
  return submit(OpType::COALESCED, std::move(collectives), outputs);
}

NcclGroup::WorkPtr NcclGroup::alltoall_base(at::Tensor& output, at::Tensor& input,
                                            std::vector<int64_t>& output_splits,
                                            std::vector<int64_t>& input_splits,
                                            const c10d::AllToAllOptions& /*options*/) {
  check_tensor(output, "all_to_all_single", /*is_point_to_point=*/true);
  check_tensor(input, "all_to_all_single", /*is_point_to_point=*/true);
  TORCH_CHECK(
      input.scalar_type() == output.scalar_type() &&
          (!output_splits.empty() || !input_splits.empty() || input.numel() == output.numel()),
      "Tensors are not equal in size or data type");
  const Tensors to = process_group::split(memory_of(input), part_sizes(input_splits, input, size_));
  const Tensors from =
      process_group::split(memory_of(output), part_sizes(output_splits, output, size_));
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
    check_tensor(input, "all_to_all", /*is_point_to_point=*/true);
    to.push_back(memory_of(as_real(input)));
  }
  for (const at::Tensor& output : outputs) {
    check_tensor(output, "all_to_all", /*is_point_to_point=*/true);
    from.push_back(memory_of(as_real(output)));
  }
  return submit(OpType::ALLTOALL, {make_exchange(make_call("all_to_all", inputs[0]), to, from)},
                outputs);
}

NcclGroup::WorkPtr NcclGroup::send(Tensors& tensors, int to, int /*tag*/) {
  const at::Tensor& tensor = single_tensor(tensors);
  check_tensor(tensor, "send", /*is_point_to_point=*/true);
  check_root(to, size_, "send");
  TORCH_CHECK_VALUE(to != rank_, "Cannot send to the rank itself with NCCL");
  const at::Tensor real = as_real(tensor);
  PointToPoint call{make_call("send", real), to, /*is_send=*/true, 0, memory_of(real)};
  call.call.send.at(static_cast<std::size_t>(to)) = real.numel();
  return submit(OpType::SEND, std::move(call), tensor);
}

NcclGroup::WorkPtr NcclGroup::recv(Tensors& tensors, int from, int /*tag*/) {
  const at::Tensor& tensor = single_tensor(tensors);
  check_tensor(tensor, "recv", /*is_point_to_point=*/true);
  check_root(from, size_, "recv");
  TORCH_CHECK_VALUE(from != rank_, "Cannot receive from the rank itself with NCCL");
  const at::Tensor real = as_real(tensor);
  PointToPoint call{make_call("recv", real), from, /*is_send=*/false, 0, memory_of(real)};
  call.call.receive.at(static_cast<std::size_t>(from)) = real.numel();
  return submit(OpType::RECV, std::move(call), tensor);
}

c10::Device NcclGroup::barrier_device(const c10d::BarrierOptions& options) {
  if (options.device) return *options.device;
  if (!options.device_ids.empty()) {
    return {c10::kCUDA, static_cast<c10::DeviceIndex>(options.device_ids.front())};
  }
  if (bound_device_id_) return *bound_device_id_;
  if (!communicators_.empty()) return {c10::kCUDA, communicators_.begin()->first};
  // NCCL guesses, too.
  const auto devices = std::max<std::int64_t>(virtual_cuda::device_count(), 1);
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(links_.global_rank(rank_) % devices)};
}

NcclGroup::WorkPtr NcclGroup::barrier(const c10d::BarrierOptions& options) {
  CollectiveCall call = make_call("barrier", barrier_device(options));
  std::vector<Collective> meeting;
  meeting.push_back(make_exchange(std::move(call), Tensors(ranks()), Tensors(ranks())));
  return submit(OpType::BARRIER, std::move(meeting), {});
}

void NcclGroup::waitForPendingWorks() {
  for (const auto& [direction, stream] : point_to_point_streams_) stream->drain();
  stream_.drain();
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
