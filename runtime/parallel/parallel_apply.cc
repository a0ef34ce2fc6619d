#include "runtime/parallel/parallel_apply.h"

#include <exception>

#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/devices.h"
#include "runtime/core/rethrow.h"

namespace placecheck::runtime::nn {

void run_on_devices(ReplicaThreads& threads, const comm::DeviceList& devices,
                    const std::function<void(std::size_t)>& call) {
  const bool grad_mode = GradMode::is_enabled();
  std::vector<StreamId> streams;
  for (DeviceIndex device : devices) streams.push_back(current_stream(device));
  std::vector<std::exception_ptr> errors = threads.run(devices.size(), [&](std::size_t i) {
    AutoGradMode in_mode(grad_mode);
    set_current_stream(streams[i]);
    DeviceGuard guard(Device(kCUDA, devices[i]));
    call(i);
  });
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (errors[i]) rethrow_from(errors[i], text_of("in replica ", i, " on device ", devices[i]));
  }
}

}  // namespace placecheck::runtime::nn
