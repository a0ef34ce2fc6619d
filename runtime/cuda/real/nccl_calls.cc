// The calls of NCCL that make communicators and collectives: each is judged, then forwarded; what
// would wait for ever returns ncclInvalidUsage instead. Calls that are not here go to NCCL
// directly.
#include <map>
#include <memory>
#include <mutex>

#include "runtime/cuda/communicators.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/include/nccl.h"
#include "runtime/cuda/nccl_judgement.h"
#include "runtime/cuda/real/handles.h"
#include "runtime/cuda/real/libraries.h"

namespace placecheck::cuda {
namespace {

// What is known of the communicators that the program has made; they themselves are NCCL's.
class Known {
 public:
  void add(ncclComm_t real, ncclComm comm) {
    const std::lock_guard<std::mutex> lock(mutex_);
    comms_.insert_or_assign(real, std::make_shared<ncclComm>(std::move(comm)));
  }
  void remove(ncclComm_t real) {
    const std::lock_guard<std::mutex> lock(mutex_);
    comms_.erase(real);
  }
  std::shared_ptr<ncclComm> find(ncclComm_t real) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = comms_.find(real);
    return found == comms_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<ncclComm_t, std::shared_ptr<ncclComm>> comms_;
};

// Never destroyed: static objects of the program destroy theirs late.
Known& known() {
  static auto* comms = new Known;
  return *comms;
}

// False where the call would wait for ever.
bool may_go_on(const Collective& call, ncclComm_t comm, cudaStream_t stream) {
  if (is_inside_call()) return true;
  const std::shared_ptr<ncclComm> own = known().find(comm);
  return own == nullptr || !judge_collective(call, *own, device_of_handle(stream)).would_hang;
}

ncclResult_t forget(ncclComm_t comm, ncclResult_t result) {
  known().remove(comm);
  return result;
}

}  // namespace
}  // namespace placecheck::cuda

namespace cuda = placecheck::cuda;
using cuda::may_go_on;

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  const auto clique = cuda::clique_of(id, ranks);
  const int device = cuda::current_device();
  if (ranks > 1 && !cuda::judge_order(clique, "ncclCommInitRank", rank)) return ncclInvalidUsage;
  cuda::join(*clique, rank, device, "ncclCommInitRank");
  const ncclResult_t result = PLACECHECK_REAL(ncclCommInitRank)(comm, ranks, id, rank);
  if (result == ncclSuccess) cuda::known().add(*comm, {clique, rank, ranks, device, 0});
  return result;
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* devices) {
  const auto clique = cuda::make_clique(count);
  for (int i = 0; i < count; ++i) {
    cuda::join(*clique, i, devices == nullptr ? i : devices[i], "ncclCommInitAll");
  }
  const ncclResult_t result = PLACECHECK_REAL(ncclCommInitAll)(comms, count, devices);
  for (int i = 0; result == ncclSuccess && i < count; ++i) {
    cuda::known().add(comms[i], {clique, i, count, devices == nullptr ? i : devices[i], 0});
  }
  return result;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  return cuda::forget(comm, PLACECHECK_REAL(ncclCommDestroy)(comm));
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  return cuda::forget(comm, PLACECHECK_REAL(ncclCommAbort)(comm));
}

ncclResult_t ncclGroupStart() {
  cuda::start_group();
  return PLACECHECK_REAL(ncclGroupStart)();
}

ncclResult_t ncclGroupEnd() {
  cuda::end_group();
  return PLACECHECK_REAL(ncclGroupEnd)();
}

ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  const cuda::Collective call{
      .operation = "ncclAllReduce", .buffers = {from, to}, .count = count, .type = type};
  if (!may_go_on(call, comm, stream)) return ncclInvalidUsage;
  return PLACECHECK_REAL(ncclAllReduce)(from, to, count, type, operation, comm, stream);
}

ncclResult_t ncclReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                        ncclRedOp_t operation, int root, ncclComm_t comm, cudaStream_t stream) {
  if (!may_go_on({"ncclReduce", {from, to}, count, type, root}, comm, stream)) {
    return ncclInvalidUsage;
  }
  return PLACECHECK_REAL(ncclReduce)(from, to, count, type, operation, root, comm, stream);
}

ncclResult_t ncclBcast(void* buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  if (!may_go_on({"ncclBcast", {buffer}, count, type, root}, comm, stream)) return ncclInvalidUsage;
  return PLACECHECK_REAL(ncclBcast)(buffer, count, type, root, comm, stream);
}

ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  if (!may_go_on({"ncclBroadcast", {from, to}, count, type, root}, comm, stream)) {
    return ncclInvalidUsage;
  }
  return PLACECHECK_REAL(ncclBroadcast)(from, to, count, type, root, comm, stream);
}

ncclResult_t ncclReduceScatter(const void* from, void* to, size_t count, ncclDataType_t type,
                               ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  const cuda::Collective call{
      .operation = "ncclReduceScatter", .buffers = {from, to}, .count = count, .type = type};
  if (!may_go_on(call, comm, stream)) return ncclInvalidUsage;
  return PLACECHECK_REAL(ncclReduceScatter)(from, to, count, type, operation, comm, stream);
}

ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  const cuda::Collective call{
      .operation = "ncclAllGather", .buffers = {from, to}, .count = count, .type = type};
  if (!may_go_on(call, comm, stream)) return ncclInvalidUsage;
  return PLACECHECK_REAL(ncclAllGather)(from, to, count, type, comm, stream);
}

ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  may_go_on({"ncclSend", {from}, count, type, peer, /*is_pairwise=*/true}, comm, stream);
  return PLACECHECK_REAL(ncclSend)(from, count, type, peer, comm, stream);
}

ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  may_go_on({"ncclRecv", {to}, count, type, peer, /*is_pairwise=*/true}, comm, stream);
  return PLACECHECK_REAL(ncclRecv)(to, count, type, peer, comm, stream);
}
