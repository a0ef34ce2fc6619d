// Where PyTorch's behaviour is a known bug, data parallelism does what is meant. Where a program
// could depend on the bug, it may ask for it.
#ifndef PLACECHECK_RUNTIME_PARALLEL_COMMON_COMPAT_H_
#define PLACECHECK_RUNTIME_PARALLEL_COMMON_COMPAT_H_

namespace placecheck::parallel {

struct Compat {
  // A parameter that no replica used gets a gradient of zeros as soon as another one was used, so
  // that weight decay and momentum move it. Without this, it gets none, as without data
  // parallelism.
  //
  // Inputs that make different numbers of pieces are accepted, and rows of the longer ones are
  // dropped. Without this, they are refused.
  bool strict_compat = false;
};

}  // namespace placecheck::parallel

#endif  // PLACECHECK_RUNTIME_PARALLEL_COMMON_COMPAT_H_
