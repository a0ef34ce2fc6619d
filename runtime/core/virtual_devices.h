// How many virtual devices a program sees, and how much memory each has. PLACECHECK_VIRTUAL_DEVICES
// says how many there are (2 where it is not set, at most 64), and CUDA_VISIBLE_DEVICES leaves some
// of them; PLACECHECK_VIRTUAL_MEMORY is a number of bytes or of units, "16GiB" (which it is where
// it is not set). For the virtual runtimes that stand in for CUDA under programs of others, so a
// value that cannot be read is complained of, not thrown.
//
// Reads the environment each time: who needs a fixed number keeps it.
#ifndef PLACECHECK_RUNTIME_CORE_VIRTUAL_DEVICES_H_
#define PLACECHECK_RUNTIME_CORE_VIRTUAL_DEVICES_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace placecheck::runtime {

// As many as libtorch's own tables of devices hold.
inline constexpr int kMostVirtualDevices = 64;

// `complain` is called with one sentence where PLACECHECK_VIRTUAL_DEVICES cannot be read.
int count_visible_virtual_devices(const std::function<void(const std::string&)>& complain);

inline constexpr std::size_t kUsualVirtualMemory = std::size_t{16} << 30;

// "1024", "512 MiB", "1.5g", "16GB": a binary unit has an i or stands alone, GB is 10^9 bytes. None
// for what is no size, and for none at all.
std::optional<std::size_t> parse_bytes(std::string_view text);

std::size_t virtual_memory_bytes(const std::function<void(const std::string&)>& complain);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_VIRTUAL_DEVICES_H_
