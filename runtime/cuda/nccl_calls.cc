// NCCL: ranks, groups and collectives are judged, no bytes are moved.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/cuda_pointer_placement.h"
#include "rules/nccl_usage.h"
#include "runtime/cuda/communicators.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/execution.h"
#include "runtime/cuda/handles.h"
#include "runtime/cuda/include/nccl.h"
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

// Never destroyed: static objects of the program destroy theirs late.
Handles<ncclComm>& communicators() {
  static auto* handles = new Handles<ncclComm>;
  return *handles;
}

struct Collective {
  std::string_view operation;
  std::vector<const void*> buffers;
  std::size_t count = 0;
  ncclDataType_t type = ncclFloat;
  std::optional<int> root = std::nullopt;
  bool is_pairwise = false;  // `root` is the other one
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

// The default stream is that of the rank's device, whichever is current.
ncclResult_t check_stream(cudaStream_t stream, const ncclComm& comm, std::string_view operation) {
  const auto made = device_of(stream);
  if (!made) return ncclUnhandledCudaError;
  if (!streams().has(stream)) return ncclSuccess;
  const DeviceFact fact = fact_of_device(*made);
  if (rule::judge_buffer(fact, fact_of_device(comm.device)) != Verdict::kBroken) return ncclSuccess;
  const bool goes_on =
      fail(rule::kRule, operation,
           "CUDA error: invalid resource handle (the stream is of " + run_time_text(fact) +
               ", the rank of " + run_time_text(fact_of_device(comm.device)) + ")");
  return goes_on ? ncclSuccess : ncclUnhandledCudaError;
}

bool judge_root(const Collective& call, const ncclComm& comm) {
  if (!call.root || rule::judge_root(*call.root, comm.ranks) != Verdict::kBroken) return true;
  return fail(rule::kRule, call.operation,
              rule::root_message(call.operation, *call.root, comm.ranks));
}

// A hang has no code: a run that would wait for ever is refused instead.
ncclResult_t ask(const Collective& call, ncclComm_t comm, cudaStream_t stream) {
  if (!communicators().has(comm)) return ncclInvalidArgument;
  if (!judge_root(call, *comm)) return ncclInvalidArgument;
  bool is_reached = true;
  for (const void* buffer : call.buffers) {
    is_reached = judge_buffer(buffer, *comm, call.operation) && is_reached;
  }
  if (!is_reached) leave_unusable(cudaErrorIllegalAddress);
  const ncclResult_t of_stream = check_stream(stream, *comm, call.operation);
  if (of_stream != ncclSuccess) return of_stream;
  note_unexecuted(call.operation);
  if (call.is_pairwise) return ncclSuccess;
  if (!judge_order(comm->clique, call.operation, comm->rank)) return ncclInvalidUsage;
  const auto type = static_cast<std::size_t>(call.type);
  const char* dtype = type < std::size(kTypeNames) ? kTypeNames[type] : "another type";
  const bool agrees = judge_agreement(*comm, {.operation = call.operation,
                                              .dtype = dtype,
                                              .count = static_cast<std::int64_t>(call.count),
                                              .root = call.root.value_or(0)});
  return agrees ? ncclSuccess : ncclInvalidUsage;
}

ncclResult_t check(ncclComm_t comm) {
  return communicators().has(comm) ? ncclSuccess : ncclInvalidArgument;
}

ncclResult_t destroy(ncclComm_t comm) {
  return communicators().destroy(comm) ? ncclSuccess : ncclInvalidArgument;
}

}  // namespace
}  // namespace placecheck::cuda

namespace cuda = placecheck::cuda;
using cuda::ask;

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_MAJOR * 10000 + NCCL_MINOR * 100;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError:
      return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError:
      return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument:
      return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage:
      return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    case ncclInProgress:
      return "NCCL operation in progress";
  }
  return "unknown result code";
}

const char* ncclGetLastError(ncclComm_t /*comm*/) { return ""; }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  static std::atomic<unsigned> number{0};
  *id = {};
  std::snprintf(id->internal, sizeof(id->internal), "placecheck %d %u", getpid(), ++number);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  if (ranks < 1 || rank < 0 || rank >= ranks) return ncclInvalidArgument;
  const auto clique = cuda::clique_of(id, ranks);
  const int device = cuda::current_device();
  if (ranks > 1 && !cuda::judge_order(clique, "ncclCommInitRank", rank)) return ncclInvalidUsage;
  if (!cuda::join(*clique, rank, device, "ncclCommInitRank")) return ncclInvalidUsage;
  *comm = cuda::communicators().make({clique, rank, ranks, device, 0});
  return ncclSuccess;
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* devices) {
  if (count < 1) return ncclInvalidArgument;
  const auto clique = cuda::make_clique(count);
  for (int i = 0; i < count; ++i) {
    const int device = devices == nullptr ? i : devices[i];
    if (!cuda::is_device(device)) return ncclInvalidArgument;
    if (!cuda::join(*clique, i, device, "ncclCommInitAll")) return ncclInvalidUsage;
    comms[i] = cuda::communicators().make({clique, i, count, device, 0});
  }
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) { return cuda::check(comm); }
ncclResult_t ncclCommDestroy(ncclComm_t comm) { return cuda::destroy(comm); }
ncclResult_t ncclCommAbort(ncclComm_t comm) { return cuda::destroy(comm); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  *error = ncclSuccess;
  return cuda::check(comm);
}

ncclResult_t ncclCommCount(ncclComm_t comm, int* count) {
  if (cuda::check(comm) == ncclSuccess) *count = comm->ranks;
  return cuda::check(comm);
}

ncclResult_t ncclCommCuDevice(ncclComm_t comm, int* device) {
  if (cuda::check(comm) == ncclSuccess) *device = comm->device;
  return cuda::check(comm);
}

ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank) {
  if (cuda::check(comm) == ncclSuccess) *rank = comm->rank;
  return cuda::check(comm);
}

ncclResult_t ncclGroupStart() {
  cuda::start_group();
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() { return cuda::end_group() ? ncclSuccess : ncclInvalidUsage; }

ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                           ncclRedOp_t /*operation*/, ncclComm_t comm, cudaStream_t stream) {
  return ask({.operation = "ncclAllReduce", .buffers = {from, to}, .count = count, .type = type},
             comm, stream);
}

ncclResult_t ncclReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                        ncclRedOp_t /*operation*/, int root, ncclComm_t comm, cudaStream_t stream) {
  return ask({"ncclReduce", {from, to}, count, type, root}, comm, stream);
}

ncclResult_t ncclBcast(void* buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return ask({"ncclBcast", {buffer}, count, type, root}, comm, stream);
}

ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return ask({"ncclBroadcast", {from, to}, count, type, root}, comm, stream);
}

ncclResult_t ncclReduceScatter(const void* from, void* to, size_t count, ncclDataType_t type,
                               ncclRedOp_t /*operation*/, ncclComm_t comm, cudaStream_t stream) {
  return ask(
      {.operation = "ncclReduceScatter", .buffers = {from, to}, .count = count, .type = type}, comm,
      stream);
}

ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return ask({.operation = "ncclAllGather", .buffers = {from, to}, .count = count, .type = type},
             comm, stream);
}

ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return ask({"ncclSend", {from}, count, type, peer, /*is_pairwise=*/true}, comm, stream);
}

ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return ask({"ncclRecv", {to}, count, type, peer, /*is_pairwise=*/true}, comm, stream);
}
