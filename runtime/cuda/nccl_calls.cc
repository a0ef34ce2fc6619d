// NCCL: ranks, groups and collectives are judged, no bytes are moved.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <optional>

#include "runtime/cuda/communicators.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/execution.h"
#include "runtime/cuda/handles.h"
#include "runtime/cuda/include/nccl.h"
#include "runtime/cuda/nccl_judgement.h"

namespace placecheck::cuda {
namespace {

// Never destroyed: static objects of the program destroy theirs late.
Handles<ncclComm>& communicators() {
  static auto* handles = new Handles<ncclComm>;
  return *handles;
}

// A hang has no code: a run that would wait for ever is refused instead.
ncclResult_t ask(const Collective& call, ncclComm_t comm, cudaStream_t stream) {
  if (!communicators().has(comm)) return ncclInvalidArgument;
  const auto made = device_of(stream);
  if (!made) return ncclUnhandledCudaError;
  const auto own = streams().has(stream) ? made : std::nullopt;
  const CollectiveVerdict verdict = judge_collective(call, *comm, own);
  if (!verdict.is_reached) leave_unusable(cudaErrorIllegalAddress);
  if (verdict.result == ncclSuccess || verdict.would_hang) note_unexecuted(call.operation);
  return verdict.result;
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
