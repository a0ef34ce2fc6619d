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

#include "runtime/core/visible_devices.h"
#include "runtime/torch/python/host_memory.h"
#include "runtime/torch/python/nccl_checks.h"
#include "runtime/torch/python/python_frames.h"
#include "runtime/torch/virtual_cuda/devices.h"

namespace placecheck::process_group {
namespace {

using Tensors = NcclGroup::Tensors;
using c10d::OpType;

// Collectives are done one after the other, so each may use the same tags.
constexpr int kCallTag = 0;
constexpr int kDataTag = 1;

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
c10::intrusive_ptr<Backend> NcclGroup::split(const c10::intrusive_ptr<c10d::Store>& store,
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

#endif

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
void NcclGroup::eagerConnectSingleDevice(at::Device device) {
  std::vector<Collective> meeting;
  meeting.push_back(
      make_exchange(make_call("init_process_group", device), Tensors(ranks()), Tensors(ranks())));
  submit(OpType::BARRIER, std::move(meeting), {})->wait();
}

void NcclGroup::waitForPendingWorks() {
  for (const auto& [direction, stream] : point_to_point_streams_) stream->drain();
  stream_.drain();
}

std::optional<c10::Device> NcclGroup::bound_device() const { return bound_device_id_; }
#else
std::optional<c10::Device> NcclGroup::bound_device() const { return std::nullopt; }
#endif

std::int64_t NcclGroup::communicator_of(c10::Device device) {
  const std::optional<c10::Device> bound = bound_device();
  TORCH_CHECK(!bound || *bound == device,
              "Attempt to perform collective on tensor not on device passed to "
              "init_process_group: the tensor is on ",
              device, ", the group is for ", *bound);
  const auto next = static_cast<std::int64_t>(communicators_.size());
  return communicators_.emplace(device.index(), next).first->second;
}

CollectiveCall NcclGroup::make_call(const char* operation, c10::Device device) {
  static const std::uint64_t kHost = host_hash();
  CollectiveCall call;
  call.operation = operation;
  if (const auto frame = python::innermost_user_frame_of_program()) {
    call.place = python::place_of(*frame);
  }
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

NcclGroup::WorkPtr NcclGroup::end_coalescing() {
  TORCH_CHECK(coalesced_, "endCoalescing called without startCoalescing");
  Batch batch = std::move(*coalesced_);
  coalesced_.reset();
  if (!batch.work) batch.work = stream_.make_work(rank_, kCoalesced);
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
    batch.work = stream_.make_work(rank_, coalesced_ ? kCoalesced : type);
  }
  batch.work->add_results(results);
  for (Collective& collective : collectives) batch.collectives.push_back(std::move(collective));
  const WorkPtr work = batch.work;
  if (!coalesced_) enqueue(stream_, std::move(own));
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
                     decode(static_cast<const char*>(read_pointer(memory)), ranks())});
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
    call.send[i] = to[i].defined() ? to[i].numel() : 0;
    call.receive[i] = from[i].defined() ? from[i].numel() : 0;
  }
  return {std::move(call),
          [this, to = std::move(to), from = std::move(from), finish = std::move(finish)](
              const Collective& self, const std::atomic<int>& waits) {
            exchange_parts(to, from, self.call, waits);
            if (finish) finish();
          }};
}

c10::Device NcclGroup::barrier_device(const c10d::BarrierOptions& options) {
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  if (options.device) return *options.device;
#endif
  if (!options.device_ids.empty()) {
    return {c10::kCUDA, static_cast<c10::DeviceIndex>(options.device_ids.front())};
  }
  if (const auto bound = bound_device()) return *bound;
  if (!communicators_.empty()) return {c10::kCUDA, communicators_.begin()->first};
  // NCCL guesses, too.
  const auto devices = std::max<std::int64_t>(virtual_cuda::device_count(), 1);
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(links_.global_rank(rank_) % devices)};
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
