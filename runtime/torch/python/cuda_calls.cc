#include "runtime/torch/python/cuda_calls.h"

#include <ATen/core/Generator.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <exception>
#include <string>

#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/generator.h"
#include "runtime/torch/virtual_cuda/memory.h"
#include "runtime/torch/virtual_cuda/memory_use.h"

namespace virtual_cuda = placecheck::virtual_cuda;

namespace {

thread_local std::string error_text;

// Python shows an error of c10 without the C++ stack that what() has.
void keep_error_text() {
  try {
    throw;
  } catch (const c10::Error& error) {
    error_text = error.what_without_backtrace();
  } catch (const std::exception& error) {
    error_text = error.what();
  }
}

template <class Call>
int status_of(Call&& call) {
  try {
    call();
    return 0;
  } catch (...) {
    keep_error_text();
    return -1;
  }
}

// CUDA's error where there is no such device.
c10::DeviceIndex checked(int index) {
  const c10::Device device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
  return virtual_cuda::resolve(device).index();
}

c10::Device device_of(int index) { return {c10::kCUDA, static_cast<c10::DeviceIndex>(index)}; }

PlacecheckMemoryStatistic plain(const virtual_cuda::MemoryStatistic& statistic) {
  return {statistic.current, statistic.peak, statistic.added, statistic.removed};
}

template <class Make>
void* wrapped(Make&& make, void* (*wrap)(void*)) {
  try {
    at::Generator generator = make();
    return wrap(&generator);
  } catch (...) {
    keep_error_text();
    return nullptr;
  }
}

}  // namespace

const char* placecheck_error_text() { return error_text.c_str(); }

const placecheck::devices::Properties* placecheck_device_properties() {
  return &placecheck::devices::kProperties;
}

const char* placecheck_device_name() { return placecheck::devices::kDeviceName; }

int placecheck_device_count() { return virtual_cuda::device_count(); }

int placecheck_current_device() { return virtual_cuda::current_device(); }

int placecheck_set_device(int index) {
  return status_of([&] { virtual_cuda::set_current_device(static_cast<c10::DeviceIndex>(index)); });
}

int placecheck_check_device(int index) {
  return status_of([&] { checked(index); });
}

int placecheck_synchronize() { return status_of(&virtual_cuda::synchronize); }

std::int64_t placecheck_current_stream(int index) {
  return virtual_cuda::current_stream(device_of(index)).id();
}

std::int64_t placecheck_new_stream(int index) {
  return virtual_cuda::stream_from_pool(device_of(index)).id();
}

void placecheck_set_stream(std::int64_t id, int index) {
  virtual_cuda::exchange_stream(c10::Stream(c10::Stream::UNSAFE, device_of(index), id));
}

// Later releases have the three parts apart.
#if TORCH_VERSION_MAJOR < 2
std::uint64_t placecheck_pack_stream(std::int64_t id, int index) {
  return c10::Stream(c10::Stream::UNSAFE, device_of(index), id).pack();
}

std::int64_t placecheck_unpack_stream(std::uint64_t packed, int* index) {
  const c10::Stream stream = c10::Stream::unpack(packed);
  *index = stream.device_index();
  return stream.id();
}
#endif

int placecheck_memory_use(int index, PlacecheckMemoryUse* use) {
  return status_of([&] {
    const c10::DeviceIndex device = checked(index);
    const virtual_cuda::MemoryUse counted = virtual_cuda::memory_use(device);
    use->allocated = plain(counted.allocated);
    use->reserved = plain(counted.reserved);
    use->blocks = plain(counted.blocks);
    use->out_of_memory_errors = counted.out_of_memory_errors;
    use->free_bytes = static_cast<std::int64_t>(virtual_cuda::free_memory(device));
    use->total_bytes = static_cast<std::int64_t>(virtual_cuda::memory_limit());
  });
}

int placecheck_reset_peak_memory(int index) {
  return status_of([&] { virtual_cuda::reset_peak_memory(checked(index)); });
}

int placecheck_reset_accumulated_memory(int index) {
  return status_of([&] { virtual_cuda::reset_accumulated_memory(checked(index)); });
}

void placecheck_release_reserved_memory() { virtual_cuda::release_reserved_memory(); }

int placecheck_set_memory_fraction(int index, double fraction) {
  return status_of([&] { virtual_cuda::set_memory_fraction(checked(index), fraction); });
}

double placecheck_memory_fraction(int index) {
  return virtual_cuda::memory_fraction(static_cast<c10::DeviceIndex>(index));
}

void* placecheck_device_allocator() { return virtual_cuda::device_allocator(); }

void* placecheck_pinned_allocator() { return virtual_cuda::pinned_allocator(); }

void* placecheck_default_generator(int index, void* (*wrap)(void* generator)) {
  return wrapped([&] { return virtual_cuda::default_generator(checked(index)); }, wrap);
}

void* placecheck_new_generator(int index, void* (*wrap)(void* generator)) {
  return wrapped([&] { return virtual_cuda::new_generator(checked(index)); }, wrap);
}
