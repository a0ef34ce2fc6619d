// Where the Python program is: "train.py:20", the innermost line that is not PyTorch's own.
//
// Python tells it, through a function that it sets with placecheck_set_caller_place (called by
// ctypes, so that this library needs no Python). Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_CALLER_PLACE_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_CALLER_PLACE_H_

#include <string>

namespace placecheck::process_group {

// The calling thread's; empty where Python is not asked or does not know.
std::string caller_place();

}  // namespace placecheck::process_group

// Writes at most `size` bytes of UTF-8, without a zero at the end; returns how many.
using PlacecheckCallerPlace = int (*)(char* text, int size);

// Null: nobody knows.
extern "C" __attribute__((visibility("default"))) void placecheck_set_caller_place(
    PlacecheckCallerPlace provider);

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_CALLER_PLACE_H_
