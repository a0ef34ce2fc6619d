// send and recv.
#include "runtime/torch/python/nccl_group.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include "runtime/torch/python/host_memory.h"
#include "runtime/torch/python/nccl_checks.h"

namespace placecheck::process_group {
namespace {

using c10d::OpType;

// A point-to-point call has three: the sender's and the receiver's call, and the data.
constexpr int kFirstPointToPointTag = 16;
constexpr int kPointToPointTags = 1 << 20;

}  // namespace

NcclGroup::WorkPtr NcclGroup::submit(OpType type, PointToPoint point_to_point,
                                     const at::Tensor& result) {
  const std::pair<int, bool> direction{point_to_point.peer, point_to_point.is_send};
  point_to_point.tag =
      kFirstPointToPointTag + 3 * (point_to_point_calls_[direction]++ % kPointToPointTags);
  if (coalesced_) {
    if (!coalesced_->work) coalesced_->work = stream_.make_work(rank_, kCoalesced);
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
                          decode(static_cast<const char*>(read_pointer(others)), ranks())};
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

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
