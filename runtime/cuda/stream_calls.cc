// Streams and events. Work is done when it is asked for, so that a stream is a name and its device.
#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/handles.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/witness.h"

using placecheck::cuda::current_device;
using placecheck::cuda::device_of;
using placecheck::cuda::events;
using placecheck::cuda::finish;
using placecheck::cuda::streams;

namespace placecheck::cuda {
namespace {

cudaError_t check(cudaStream_t stream) {
  return device_of(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t check(cudaEvent_t event) {
  return events().has(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

}  // namespace

// Never destroyed: static objects of the program destroy theirs late.
Handles<CUstream_st>& streams() {
  static auto* handles = new Handles<CUstream_st>;
  return *handles;
}

Handles<CUevent_st>& events() {
  static auto* handles = new Handles<CUevent_st>;
  return *handles;
}

std::optional<int> device_of(cudaStream_t stream) {
  const bool is_default =
      stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
  if (is_default) return current_device();
  if (!streams().has(stream)) return std::nullopt;
  return stream->device;
}

}  // namespace placecheck::cuda

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
  return cudaStreamCreate(stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned /*flags*/, int priority) {
  *stream = streams().make({.device = current_device(), .priority = priority});
  return finish(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return finish(streams().destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return finish(placecheck::cuda::check(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return finish(placecheck::cuda::check(stream)); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
  if (!device_of(stream)) return finish(cudaErrorInvalidResourceHandle);
  return finish(placecheck::cuda::check(event));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned /*flags*/) {
  if (!device_of(stream)) return finish(cudaErrorInvalidResourceHandle);
  callback(stream, cudaSuccess, data);
  return finish(cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (!device_of(stream)) return finish(cudaErrorInvalidResourceHandle);
  function(data);
  return finish(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = events().make({.device = current_device(), .is_recorded = false});
  return finish(cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned /*flags*/) {
  return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return finish(events().destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned /*flags*/) {
  const auto needed = device_of(stream);
  if (!needed || !events().has(event)) return finish(cudaErrorInvalidResourceHandle);
  if (!placecheck::cuda::judge_handle("event", event->device, *needed, "cudaEventRecord")) {
    return finish(cudaErrorInvalidResourceHandle);
  }
  event->is_recorded = true;
  return finish(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return finish(placecheck::cuda::check(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return finish(placecheck::cuda::check(event)); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!events().has(start) || !events().has(end)) return finish(cudaErrorInvalidResourceHandle);
  const bool fits = placecheck::cuda::judge_handle("event", end->device, start->device, __func__);
  if (!fits || !start->is_recorded || !end->is_recorded) {
    return finish(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = 0.001F;
  return finish(cudaSuccess);
}
