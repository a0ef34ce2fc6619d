// The CUDA driver's interface, of which a wheel's c10/cuda headers include the file and use
// nothing.
#ifndef PLACECHECK_RUNTIME_TORCH_STANDIN_INCLUDE_CUDA_H_
#define PLACECHECK_RUNTIME_TORCH_STANDIN_INCLUDE_CUDA_H_
#endif  // PLACECHECK_RUNTIME_TORCH_STANDIN_INCLUDE_CUDA_H_
