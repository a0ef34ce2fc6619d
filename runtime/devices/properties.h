// What a virtual GPU says of itself: an A100's figures, but for the name and the memory. Every
// library that serves CUDA takes them from here. Sizes in bytes, clocks in kHz.
#ifndef PLACECHECK_RUNTIME_DEVICES_PROPERTIES_H_
#define PLACECHECK_RUNTIME_DEVICES_PROPERTIES_H_

namespace placecheck::devices {

// A plain structure of ints, which Python reads by the same layout (cpu_build/calls.py).
struct Properties {
  int major = 8;
  int minor = 0;
  int multiprocessors = 108;
  int warp_size = 32;
  int threads_per_block = 1024;
  int threads_per_multiprocessor = 2048;
  int registers_per_multiprocessor = 65536;
  int shared_memory_per_block = 48 << 10;
  int shared_memory_per_block_opt_in = 163 << 10;
  int shared_memory_per_multiprocessor = 164 << 10;
  int l2_cache_size = 40 << 20;
  int clock_rate = 1410000;
  int memory_clock_rate = 1215000;
  int memory_bus_width = 5120;  // bits
};

inline constexpr Properties kProperties;
inline constexpr char kDeviceName[] = "placecheck virtual GPU";

}  // namespace placecheck::devices

#endif  // PLACECHECK_RUNTIME_DEVICES_PROPERTIES_H_
