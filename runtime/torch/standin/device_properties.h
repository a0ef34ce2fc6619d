// What a virtual GPU says of itself (devices/properties.h), as CUDA wheels read it.
#ifndef PLACECHECK_RUNTIME_TORCH_STANDIN_DEVICE_PROPERTIES_H_
#define PLACECHECK_RUNTIME_TORCH_STANDIN_DEVICE_PROPERTIES_H_

#include <cstddef>

namespace placecheck::standin {

// cudaDeviceProp by the layout of the CUDA release that the wheel was built with
// (PLACECHECK_CUDA_MAJOR): PyTorch's bindings read the fields themselves. From CUDA's
// driver_types.h, 12.6 and 13.0; `reserved` is larger than any release's tail.
struct DeviceProperties {
  char name[256];
  unsigned char uuid[16];
  char luid[8];
  unsigned luid_device_node_mask;
  std::size_t total_global_memory;
  std::size_t shared_memory_per_block;
  int registers_per_block;
  int warp_size;
  std::size_t memory_pitch;
  int threads_per_block;
  int threads_per_dimension[3];
  int grid_size[3];
#if PLACECHECK_CUDA_MAJOR < 13
  int clock_rate;
#endif
  std::size_t total_constant_memory;
  int major;
  int minor;
  std::size_t texture_alignment;
  std::size_t texture_pitch_alignment;
#if PLACECHECK_CUDA_MAJOR < 13
  int device_overlap;
#endif
  int multiprocessors;
#if PLACECHECK_CUDA_MAJOR < 13
  int is_kernel_timeout_enabled;
#endif
  int is_integrated;
  int can_map_host_memory;
#if PLACECHECK_CUDA_MAJOR < 13
  int compute_mode;
  int textures_and_surfaces[40];
#else
  int textures_and_surfaces[39];
#endif
  std::size_t surface_alignment;
  int has_concurrent_kernels;
  int has_ecc;
  int pci_bus;
  int pci_device;
  int pci_domain;
  int has_tcc_driver;
  int async_engines;
  int has_unified_addressing;
#if PLACECHECK_CUDA_MAJOR < 13
  int memory_clock_rate;
#endif
  int memory_bus_width;
  int l2_cache_size;
  int persisting_l2_cache_size;
  int threads_per_multiprocessor;
  int has_stream_priorities;
  int has_global_l1_cache;
  int has_local_l1_cache;
  std::size_t shared_memory_per_multiprocessor;
  int registers_per_multiprocessor;
  int has_managed_memory;
  int is_multi_gpu_board;
  int multi_gpu_board_group;
  int has_host_native_atomics;
#if PLACECHECK_CUDA_MAJOR < 13
  int single_to_double_ratio;
#endif
  int has_pageable_memory_access;
  int has_concurrent_managed_access;
  int has_compute_preemption;
  int can_use_host_pointer;
  int has_cooperative_launch;
#if PLACECHECK_CUDA_MAJOR < 13
  int has_cooperative_multi_device_launch;
#endif
  std::size_t shared_memory_per_block_opt_in;
  int reserved[128];
};

// Of a visible device; has static storage.
const DeviceProperties& device_properties(int index);

}  // namespace placecheck::standin

#endif  // PLACECHECK_RUNTIME_TORCH_STANDIN_DEVICE_PROPERTIES_H_
