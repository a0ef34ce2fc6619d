// What a stand-in answers where it has nothing: an error that names what was asked for.
#ifndef PLACECHECK_RUNTIME_TORCH_STANDIN_REFUSAL_H_
#define PLACECHECK_RUNTIME_TORCH_STANDIN_REFUSAL_H_

// Throws c10::NotImplementedError ("not supported on virtual GPUs: NAME"), which Python sees as
// NotImplementedError. The generated stubs of functions of C++ jump here.
extern "C" [[noreturn]] __attribute__((visibility("default"))) void placecheck_refuse(
    const char* name);

#endif  // PLACECHECK_RUNTIME_TORCH_STANDIN_REFUSAL_H_
