// Gives a CPU build of libtorch its virtual CUDA devices. The shared library does so when it is
// loaded; see README.md.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_INSTALL_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_INSTALL_H_

namespace placecheck::virtual_cuda {

// Whether libtorch's CUDA libraries are in this process: then everything is left to them.
bool has_real_cuda();

// Once, before CUDA is first used, by one thread. What is registered stays for the life of the
// process.
void install();

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_INSTALL_H_
