// How many virtual devices a program sees: PLACECHECK_VIRTUAL_DEVICES says how many there are (2
// where it is not set, at most 64), and CUDA_VISIBLE_DEVICES leaves some of them. For the virtual
// runtimes that stand in for CUDA under programs of others, so a value that is no number is
// complained of, not thrown.
//
// Reads the environment each time: who needs a fixed number keeps it.
#ifndef PLACECHECK_RUNTIME_CORE_VIRTUAL_DEVICES_H_
#define PLACECHECK_RUNTIME_CORE_VIRTUAL_DEVICES_H_

#include <functional>
#include <string>

namespace placecheck::runtime {

// As many as libtorch's own tables of devices hold.
inline constexpr int kMostVirtualDevices = 64;

// `complain` is called with one sentence where PLACECHECK_VIRTUAL_DEVICES cannot be read.
int count_visible_virtual_devices(const std::function<void(const std::string&)>& complain);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_VIRTUAL_DEVICES_H_
