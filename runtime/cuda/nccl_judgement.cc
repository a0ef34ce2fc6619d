#include "runtime/cuda/nccl_judgement.h"

#include <cstdint>
#include <iterator>

#include "rules/cuda_pointer_placement.h"
#include "rules/nccl_usage.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {
namespace {

namespace rule = rules::nccl_usage;
using rules::DeviceFact;
using rules::Verdict;

constexpr const char* kTypeNames[] = {
    "ncclInt8",   "ncclUint8",   "ncclInt32",   "ncclUint32",  "ncclInt64",
    "ncclUint64", "ncclFloat16", "ncclFloat32", "ncclFloat64", "ncclBfloat16",
};

DeviceFact fact_of_device(int device) {
  return DeviceFact::cuda(static_cast<std::uint32_t>(device));
}

bool judge_buffer(const void* buffer, const ncclComm& comm, std::string_view operation) {
  const rules::cuda_pointer_placement::Memory fact = fact_of(memory_at(buffer));
  if (buffer == nullptr || !fact.place.is_accelerator()) {
    return judge_use(buffer, comm.device, operation);
  }
  if (rule::judge_buffer(fact.place, fact_of_device(comm.device)) != Verdict::kBroken) return true;
  return fail(
      rule::kRule, operation,
      rule::buffer_message(operation, static_cast<std::size_t>(comm.rank),
                           run_time_text(fact_of_device(comm.device)), run_time_text(fact.place)));
}

bool judge_stream(std::optional<int> made, const ncclComm& comm, std::string_view operation) {
  if (!made) return true;
  const DeviceFact fact = fact_of_device(*made);
  if (rule::judge_buffer(fact, fact_of_device(comm.device)) != Verdict::kBroken) return true;
  return fail(rule::kRule, operation,
              "CUDA error: invalid resource handle (the stream is of " + run_time_text(fact) +
                  ", the rank of " + run_time_text(fact_of_device(comm.device)) + ")");
}

bool judge_root(const Collective& call, const ncclComm& comm) {
  if (!call.root || rule::judge_root(*call.root, comm.ranks) != Verdict::kBroken) return true;
  return fail(rule::kRule, call.operation,
              rule::root_message(call.operation, *call.root, comm.ranks));
}

rule::Call described(const Collective& call) {
  const auto type = static_cast<std::size_t>(call.type);
  return {.operation = call.operation,
          .dtype = type < std::size(kTypeNames) ? kTypeNames[type] : "another type",
          .count = static_cast<std::int64_t>(call.count),
          .root = call.root.value_or(0)};
}

}  // namespace

CollectiveVerdict judge_collective(const Collective& call, ncclComm& comm,
                                   std::optional<int> stream_device) {
  CollectiveVerdict verdict;
  if (!judge_root(call, comm)) {
    verdict.result = ncclInvalidArgument;
    return verdict;
  }
  for (const void* buffer : call.buffers) {
    verdict.is_reached = judge_buffer(buffer, comm, call.operation) && verdict.is_reached;
  }
  if (!judge_stream(stream_device, comm, call.operation)) {
    verdict.result = ncclUnhandledCudaError;
    return verdict;
  }
  if (call.is_pairwise) return verdict;
  verdict.would_hang = !judge_order(comm.clique, call.operation, comm.rank) ||
                       !judge_agreement(comm, described(call));
  if (verdict.would_hang) verdict.result = ncclInvalidUsage;
  return verdict;
}

}  // namespace placecheck::cuda
