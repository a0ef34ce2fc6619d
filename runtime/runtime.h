// Everything a training program needs, under libtorch's names:
//   #include "runtime/runtime.h"
//   namespace torch = placecheck::runtime;
#ifndef PLACECHECK_RUNTIME_RUNTIME_H_
#define PLACECHECK_RUNTIME_RUNTIME_H_

// IWYU pragma: begin_exports
#include "runtime/autograd/engine.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/cuda_api.h"
#include "runtime/backend/generator.h"
#include "runtime/data/data_loader.h"
#include "runtime/nn/containers.h"
#include "runtime/nn/layers.h"
#include "runtime/nn/module.h"
#include "runtime/nn/state_dict.h"
#include "runtime/optim/optimizer.h"
#include "runtime/parallel/data_parallel.h"
#include "runtime/serialization/archive.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/tensor.h"
// IWYU pragma: end_exports

#endif  // PLACECHECK_RUNTIME_RUNTIME_H_
