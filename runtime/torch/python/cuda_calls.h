// The virtual devices as plain C functions, for Python's ctypes: what PyTorch's torch.cuda asks of
// the compiled half of a CUDA build. Nothing here depends on the version of Python, and dispatch
// modes (FakeTensorMode, functorch, ...) do not see these calls.
//
// Errors: a function that returns int returns 0, or -1 and leaves its text for
// placecheck_error_text(), which belongs to the calling thread. Units: bytes. Thread-safe. Those
// that make Python objects are to be called with the GIL held.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_CUDA_CALLS_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_CUDA_CALLS_H_

#include <cstdint>

#include "runtime/devices/properties.h"

#define PLACECHECK_EXPORT __attribute__((visibility("default")))

extern "C" {

// A quantity now, the most since the last reset, and what was added and taken in all.
struct PlacecheckMemoryStatistic {
  std::int64_t current;
  std::int64_t peak;
  std::int64_t added;
  std::int64_t removed;
};

struct PlacecheckMemoryUse {
  PlacecheckMemoryStatistic allocated;  // bytes
  PlacecheckMemoryStatistic reserved;   // bytes
  PlacecheckMemoryStatistic blocks;
  std::int64_t out_of_memory_errors;
  std::int64_t free_bytes;
  std::int64_t total_bytes;
};

PLACECHECK_EXPORT const char* placecheck_error_text();

// What every device says of itself (devices/properties.h): static storage.
PLACECHECK_EXPORT const placecheck::devices::Properties* placecheck_device_properties();
PLACECHECK_EXPORT const char* placecheck_device_name();

PLACECHECK_EXPORT int placecheck_device_count();
PLACECHECK_EXPORT int placecheck_current_device();
PLACECHECK_EXPORT int placecheck_set_device(int index);
// Whether there is such a device, with CUDA's error where there is none.
PLACECHECK_EXPORT int placecheck_check_device(int index);
// Throws what an earlier kernel of the program's own left behind, as CUDA does.
PLACECHECK_EXPORT int placecheck_synchronize();

// The id of a stream; a new one is the next of the device's pool.
PLACECHECK_EXPORT std::int64_t placecheck_current_stream(int index);
PLACECHECK_EXPORT std::int64_t placecheck_new_stream(int index);
PLACECHECK_EXPORT void placecheck_set_stream(std::int64_t id, int index);
// The form in which Python's streams of 1.13 keep an id with its device; not in later releases.
PLACECHECK_EXPORT std::uint64_t placecheck_pack_stream(std::int64_t id, int index);
PLACECHECK_EXPORT std::int64_t placecheck_unpack_stream(std::uint64_t packed, int* index);

PLACECHECK_EXPORT int placecheck_memory_use(int index, PlacecheckMemoryUse* use);
PLACECHECK_EXPORT int placecheck_reset_peak_memory(int index);
PLACECHECK_EXPORT int placecheck_reset_accumulated_memory(int index);
PLACECHECK_EXPORT void placecheck_release_reserved_memory();
PLACECHECK_EXPORT int placecheck_set_memory_fraction(int index, double fraction);
PLACECHECK_EXPORT double placecheck_memory_fraction(int index);

// c10::Allocator*, as torch.UntypedStorage(allocator=...) takes it: of the current device, and of
// pinned memory.
PLACECHECK_EXPORT void* placecheck_device_allocator();
PLACECHECK_EXPORT void* placecheck_pinned_allocator();

// A Python object made by `wrap`, which is libtorch_python's THPGenerator_Wrap: releases that take
// the generator by value get the address of one, too. Null with a text where there is no device,
// or with Python's own error set.
PLACECHECK_EXPORT void* placecheck_default_generator(int index, void* (*wrap)(void* generator));
PLACECHECK_EXPORT void* placecheck_new_generator(int index, void* (*wrap)(void* generator));

}  // extern "C"

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_CUDA_CALLS_H_
