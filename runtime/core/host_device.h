// Marks functions that nvcc compiles for the host and for the device; nothing to other compilers.
#ifndef PLACECHECK_RUNTIME_CORE_HOST_DEVICE_H_
#define PLACECHECK_RUNTIME_CORE_HOST_DEVICE_H_

#ifdef __CUDACC__
#define PLACECHECK_HD __host__ __device__
#else
#define PLACECHECK_HD
#endif

#endif  // PLACECHECK_RUNTIME_CORE_HOST_DEVICE_H_
