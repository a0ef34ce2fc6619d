#include "runtime/torch/python/gloo_devices.h"

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS

#include <ATen/ATen.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/torch/python/host_memory.h"
#include "runtime/torch/python/interpreter_lock.h"

namespace placecheck::process_group {
namespace {

using c10d::Work;
using Tensors = std::vector<at::Tensor>;
using Lists = std::vector<Tensors>;
using WorkPtr = c10::intrusive_ptr<Work>;

// A CPU tensor with the same memory, which keeps the device tensor.
at::Tensor host(const at::Tensor& tensor) {
  if (!tensor.is_cuda() || tensor.layout() != at::kStrided) return tensor;
  return host_view(tensor);
}

Tensors host(const Tensors& tensors) {
  Tensors result;
  for (const at::Tensor& tensor : tensors) result.push_back(host(tensor));
  return result;
}

Lists host(const Lists& lists) {
  Lists result;
  for (const Tensors& list : lists) result.push_back(host(list));
  return result;
}

Tensors flat(const at::Tensor& tensor) { return {tensor}; }

const Tensors& flat(const Tensors& tensors) { return tensors; }

Tensors flat(const Lists& lists) {
  Tensors result;
  for (const Tensors& list : lists) result.insert(result.end(), list.begin(), list.end());
  return result;
}

// A work of gloo whose results are device tensors.
class DeviceWork final : public Work {
 public:
  DeviceWork(WorkPtr work, Tensors results)
      : work_(std::move(work)), results_(std::move(results)) {}

  bool isCompleted() override { return work_->isCompleted(); }
  bool isSuccess() const override { return work_->isSuccess(); }
  std::exception_ptr exception() const override { return work_->exception(); }
  int sourceRank() const override { return work_->sourceRank(); }
  Tensors result() override { return results_; }
  void synchronize() override { work_->synchronize(); }
  bool wait(std::chrono::milliseconds timeout) override { return work_->wait(timeout); }
  void abort() override { work_->abort(); }
  uint64_t getSequencenumber() const override { return work_->getSequencenumber(); }

  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override {
    std::vector<c10::Device> devices;
    if (!results_.empty()) devices.push_back(results_[0].device());
    auto future = c10::make_intrusive<c10::ivalue::Future>(
        c10::ListType::create(c10::TensorType::get()), devices);
    try {
      const python::WithoutInterpreterLock unlocked;
      work_->wait();
      future->markCompleted(c10::IValue(results_));
    } catch (const std::exception&) {
      future->setError(std::current_exception());
    }
    return future;
  }

 private:
  WorkPtr work_;
  Tensors results_;
};

WorkPtr device_work(WorkPtr work, Tensors results) {
  return c10::make_intrusive<DeviceWork>(std::move(work), std::move(results));
}

class GlooDevices final : public c10d::Backend {
 public:
  explicit GlooDevices(c10::intrusive_ptr<c10d::Backend> gloo)
      : Backend(gloo->getRank(), gloo->getSize()), gloo_(std::move(gloo)) {}

  const std::string getBackendName() const override { return gloo_->getBackendName(); }
#ifdef C10D_BACKEND_HAS_HOOKS
  c10::intrusive_ptr<Options> getBackendOptions() override { return gloo_->getBackendOptions(); }
  bool supportsSplitting() const override { return gloo_->supportsSplitting(); }
  void setTimeout(std::chrono::milliseconds timeout) override { gloo_->setTimeout(timeout); }
  c10::intrusive_ptr<c10d::Backend> split(const c10::intrusive_ptr<c10d::Store>& store,
                                          const std::vector<int>& ranks,
                                          const c10::intrusive_ptr<Options>& options) override {
    auto part = gloo_->split(store, ranks, options);
    return part ? make_gloo_for_devices(std::move(part)) : nullptr;
  }
#endif
  void setSequenceNumberForGroup() override {}
  uint64_t getSequenceNumberForGroup() override { return gloo_->getSequenceNumberForGroup(); }

  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override {
    return in_place(&Backend::broadcast, tensors, options);
  }
  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override {
    return in_place(&Backend::allreduce, tensors, options);
  }
  WorkPtr allreduce_coalesced(Tensors& tensors,
                              const c10d::AllreduceCoalescedOptions& options) override {
    return in_place(&Backend::allreduce_coalesced, tensors, options);
  }
  WorkPtr reduce(Tensors& tensors, const c10d::ReduceOptions& options) override {
    return in_place(&Backend::reduce, tensors, options);
  }
  WorkPtr allgather(Lists& outputs, Tensors& inputs,
                    const c10d::AllgatherOptions& options) override {
    return between(&Backend::allgather, outputs, inputs, options);
  }
  WorkPtr allgather_coalesced(Lists& outputs, Tensors& inputs,
                              const c10d::AllgatherOptions& options) override {
    return between(&Backend::allgather_coalesced, outputs, inputs, options);
  }
  WorkPtr _allgather_base(at::Tensor& output, at::Tensor& input,
                          const c10d::AllgatherOptions& options) override {
    return between(&Backend::_allgather_base, output, input, options);
  }
  WorkPtr allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                          const c10d::AllgatherOptions& options) override {
    return between(&Backend::allgather_into_tensor_coalesced, outputs, inputs, options);
  }
  WorkPtr gather(Lists& outputs, Tensors& inputs, const c10d::GatherOptions& options) override {
    return between(&Backend::gather, outputs, inputs, options);
  }
  WorkPtr scatter(Tensors& outputs, Lists& inputs, const c10d::ScatterOptions& options) override {
    return between(&Backend::scatter, outputs, inputs, options);
  }
  WorkPtr reduce_scatter(Tensors& outputs, Lists& inputs,
                         const c10d::ReduceScatterOptions& options) override {
    return between(&Backend::reduce_scatter, outputs, inputs, options);
  }
  WorkPtr _reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                               const c10d::ReduceScatterOptions& options) override {
    return between(&Backend::_reduce_scatter_base, output, input, options);
  }
  WorkPtr reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                          const c10d::ReduceScatterOptions& options) override {
    return between(&Backend::reduce_scatter_tensor_coalesced, outputs, inputs, options);
  }
  WorkPtr alltoall_base(at::Tensor& output, at::Tensor& input, std::vector<int64_t>& output_splits,
                        std::vector<int64_t>& input_splits,
                        const c10d::AllToAllOptions& options) override {
    at::Tensor host_output = host(output);
    at::Tensor host_input = host(input);
    return device_work(
        gloo_->alltoall_base(host_output, host_input, output_splits, input_splits, options),
        {output});
  }
  WorkPtr send(Tensors& tensors, int to, int tag) override {
    Tensors inputs = host(tensors);
    return device_work(gloo_->send(inputs, to, tag), tensors);
  }
  WorkPtr recv(Tensors& tensors, int from, int tag) override {
    Tensors outputs = host(tensors);
    return device_work(gloo_->recv(outputs, from, tag), tensors);
  }
  WorkPtr recvAnysource(Tensors& tensors, int tag) override {
    Tensors outputs = host(tensors);
    return device_work(gloo_->recvAnysource(outputs, tag), tensors);
  }
  WorkPtr barrier(const c10d::BarrierOptions& options) override { return gloo_->barrier(options); }
  void monitoredBarrier(const c10d::BarrierOptions& options, bool wait_for_all_ranks) override {
    gloo_->monitoredBarrier(options, wait_for_all_ranks);
  }

 private:
  // A call of gloo whose tensors are inputs and results.
  template <class Options>
  WorkPtr in_place(WorkPtr (Backend::*call)(Tensors&, const Options&), Tensors& tensors,
                   const Options& options) {
    Tensors host_tensors = host(tensors);
    return device_work(((*gloo_).*call)(host_tensors, options), tensors);
  }

  // One that fills `outputs`; each is a tensor, tensors, or lists of them.
  template <class Outputs, class Inputs, class Options>
  WorkPtr between(WorkPtr (Backend::*call)(Outputs&, Inputs&, const Options&), Outputs& outputs,
                  Inputs& inputs, const Options& options) {
    Outputs host_outputs = host(outputs);
    Inputs host_inputs = host(inputs);
    return device_work(((*gloo_).*call)(host_outputs, host_inputs, options), flat(outputs));
  }

  c10::intrusive_ptr<c10d::Backend> gloo_;
};

}  // namespace

c10::intrusive_ptr<c10d::Backend> make_gloo_for_devices(c10::intrusive_ptr<c10d::Backend> gloo) {
  return c10::make_intrusive<GlooDevices>(std::move(gloo));
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_GROUPS_HAVE_BACKENDS
