// The devices: how many there are, which one is current on a thread, and which reach each
// other's memory (reach.cc). devices.cc has those of the process (devices/machine.h), which
// libtorch's tensors share; real/devices.cc those of the machine. Thread-safe; the current device
// is each thread's own, at first 0.
#ifndef PLACECHECK_RUNTIME_CUDA_DEVICES_H_
#define PLACECHECK_RUNTIME_CUDA_DEVICES_H_

namespace placecheck::cuda {

// The variable of the environment that names the file for reports (witness.h).
extern const char* const kReportVariable;

int device_count();
bool is_device(int device);

int current_device();
void select_device(int device);

// Whether code on `device` reaches memory of `other`: its own always, others once enabled.
bool reaches(int device, int other);
// False where it was so already.
bool set_reach(int device, int other, bool is_enabled);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_DEVICES_H_
