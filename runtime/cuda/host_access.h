// Accesses of the program itself to memory of a device, which no access is allowed to: each ends
// the program with a segmentation fault, after it is said why; or is reported and let through, one
// instruction at a time.
#ifndef PLACECHECK_RUNTIME_CUDA_HOST_ACCESS_H_
#define PLACECHECK_RUNTIME_CUDA_HOST_ACCESS_H_

namespace placecheck::cuda {

// From now on; again in a child that was forked, or nothing is reported there. Handlers that were
// there before get what is not ours.
void watch_host_accesses();

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_HOST_ACCESS_H_
