// "nccl" for virtual GPUs: a backend of torch.distributed for device tensors of several processes,
// which exchanges their memory through gloo.
//
// Before each call its ranks tell each other what they call (collective_call.h), so that what makes
// NCCL hang is an error on every rank: other collectives, sizes, dtypes, roots, two ranks on one
// GPU, a rank that does not come before the deadline, or that has ended.
//
// Collectives, batches of point-to-point calls and barriers are done one after the other; single
// sends and receives have streams of their own, one for each peer and direction. Thread-safe as
// ProcessGroupNCCL is: one group's calls come from one thread at a time. Errors: nccl_checks.h at
// once; BackendError when the work is waited for.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_NCCL_GROUP_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_NCCL_GROUP_H_

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <utility>
#include <vector>

#include "runtime/torch/python/backend.h"
#include "runtime/torch/python/collective_call.h"
#include "runtime/torch/python/rank_links.h"
#include "runtime/torch/python/work_stream.h"
#include "runtime/torch/virtual_cuda/release.h"

namespace placecheck::process_group {

class NcclGroup final : public Backend {
 public:
  using Tensors = std::vector<at::Tensor>;
  using WorkPtr = c10::intrusive_ptr<c10d::Work>;

  // `links.host` is a gloo backend with the ranks of the group.
  explicit NcclGroup(RankLinks::Options links);

  const std::string getBackendName() const override { return "nccl"; }
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  bool supportsSplitting() const override { return true; }
#endif
#if PLACECHECK_TORCH_AT_LEAST(2, 7)
  bool supportsCoalescing() const override { return true; }
#endif
#if PLACECHECK_TORCH_AT_LEAST(2, 8)
  c10::intrusive_ptr<Options> getBackendOptions() override { return options_; }
#endif
#ifdef C10D_BACKEND_HAS_HOOKS  // newer than splitting by backends
  c10::intrusive_ptr<Backend> split(const c10::intrusive_ptr<c10d::Store>& store,
                                    const std::vector<int>& ranks,
                                    const c10::intrusive_ptr<Options>& options) override;
  void setTimeout(std::chrono::milliseconds /*timeout*/) override {}
  WorkPtr gather_into_tensor(at::Tensor& output, at::Tensor& input,
                             const c10d::GatherOptions& options) override;
#endif

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  // All ranks meet, as they do when NCCL makes a communicator.
  void eagerConnectSingleDevice(at::Device device) override;
#endif

  void startCoalescing() override;
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  WorkPtr endCoalescing() override { return end_coalescing(); }
#else
  // `works` are those of the calls, which all have one.
  void endCoalescing(std::vector<WorkPtr>& /*works*/) override { end_coalescing(); }
#endif

  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  WorkPtr allreduce_sparse(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  WorkPtr allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                          const c10d::AllgatherOptions& options) override;
  WorkPtr reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                          const c10d::ReduceScatterOptions& options) override;
#endif
  WorkPtr allreduce_coalesced(Tensors& tensors,
                              const c10d::AllreduceCoalescedOptions& options) override;
  WorkPtr reduce(Tensors& tensors, const c10d::ReduceOptions& options) override;
  WorkPtr allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                    const c10d::AllgatherOptions& options) override;
  WorkPtr _allgather_base(at::Tensor& output, at::Tensor& input,
                          const c10d::AllgatherOptions& options) override;
  WorkPtr gather(std::vector<Tensors>& outputs, Tensors& inputs,
                 const c10d::GatherOptions& options) override;
  WorkPtr scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                  const c10d::ScatterOptions& options) override;
  WorkPtr reduce_scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                         const c10d::ReduceScatterOptions& options) override;
  WorkPtr _reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                               const c10d::ReduceScatterOptions& options) override;
  WorkPtr alltoall_base(at::Tensor& output, at::Tensor& input, std::vector<int64_t>& output_splits,
                        std::vector<int64_t>& input_splits,
                        const c10d::AllToAllOptions& options) override;
  WorkPtr alltoall(Tensors& outputs, Tensors& inputs,
                   const c10d::AllToAllOptions& options) override;
  WorkPtr send(Tensors& tensors, int to, int tag) override;
  WorkPtr recv(Tensors& tensors, int from, int tag) override;
  WorkPtr barrier(const c10d::BarrierOptions& options) override;

  void setSequenceNumberForGroup() override {}
  uint64_t getSequenceNumberForGroup() override { return sequence_number_; }
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  void waitForPendingWorks() override;
  void enableCollectivesTiming() override {}
#endif
#if PLACECHECK_TORCH_AT_LEAST(2, 7)
  c10d::ErrorType getError() override { return c10d::ErrorType::SUCCESS; }
  void shutdown() override { waitForPendingWorks(); }
#endif

 private:
  // A collective: what is agreed on first, then what is done. A part is memory for, or from, a
  // rank.
  struct Collective {
    CollectiveCall call;
    std::function<void(const Collective&, const std::atomic<int>&)> run;
  };
  struct PointToPoint {
    CollectiveCall call;
    int peer = 0;
    bool is_send = false;
    int tag = 0;
    at::Tensor memory;
  };
  struct Batch {
    c10::intrusive_ptr<StreamWork> work;
    std::vector<Collective> collectives;
    std::vector<PointToPoint> point_to_point;
  };

  CollectiveCall make_call(const char* operation, const at::Tensor& tensor);
  CollectiveCall make_call(const char* operation, c10::Device device);
  std::int64_t communicator_of(c10::Device device);
  // What init_process_group(device_id=...) got.
  std::optional<c10::Device> bound_device() const;
  c10::Device barrier_device(const c10d::BarrierOptions& options);

  Collective make_allreduce(const at::Tensor& tensor, const c10d::ReduceOp& reduction);
  Collective make_allgather(const at::Tensor& output, const at::Tensor& input);
  Collective make_reduce_scatter(const at::Tensor& output, const at::Tensor& input,
                                 const c10d::ReduceOp& reduction);
  // Parts by rank; an undefined one is nothing. Its sizes become the call's.
  Collective make_exchange(CollectiveCall call, Tensors to, Tensors from,
                           std::function<void()> finish = nullptr);

  WorkPtr end_coalescing();
  WorkPtr submit(c10d::OpType type, std::vector<Collective> collectives, const Tensors& results);
  WorkPtr submit(c10d::OpType type, PointToPoint point_to_point, const at::Tensor& result);
  void enqueue(WorkStream& stream, Batch batch);
  void run(const Batch& batch, const std::atomic<int>& waits);
  void run(const PointToPoint& point_to_point, const std::atomic<int>& waits);
  void agree(const CollectiveCall& call, const std::atomic<int>& waits);
  void exchange_parts(const Tensors& to, const Tensors& from, const CollectiveCall& call,
                      const std::atomic<int>& waits);
  void all_reduce_parts(const at::Tensor& memory, const c10d::ReduceOp& reduction,
                        const CollectiveCall& call, const std::atomic<int>& waits);

  std::size_t ranks() const { return static_cast<std::size_t>(size_); }

  RankLinks links_;
  c10::intrusive_ptr<Options> options_;
  std::map<c10::DeviceIndex, std::int64_t> communicators_;
  std::optional<Batch> coalesced_;
  std::uint64_t sequence_number_ = 0;
  std::map<std::pair<int, bool>, int> point_to_point_calls_;
  // Last: their threads use all of the above.
  std::map<std::pair<int, bool>, std::unique_ptr<WorkStream>> point_to_point_streams_;
  WorkStream stream_;
};

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_NCCL_GROUP_H_
