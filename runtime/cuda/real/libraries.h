// The libraries that calls are forwarded to: the CUDA runtime, cuBLAS and NCCL of the machine.
#ifndef PLACECHECK_RUNTIME_CUDA_REAL_LIBRARIES_H_
#define PLACECHECK_RUNTIME_CUDA_REAL_LIBRARIES_H_

namespace placecheck::cuda {

// A function by its name: of whoever comes after this library in the process; else of a library
// that is loaded, or can be loaded, by one of its usual names. PLACECHECK_REAL_CUDART,
// PLACECHECK_REAL_CUBLAS and PLACECHECK_REAL_NCCL name another file. Ends the process where there
// is none. Thread-safe.
void* real_function(const char* name);

// Whether this thread is inside a call that was forwarded: what the libraries ask of each other is
// not the program's to answer for.
bool is_inside_call();

namespace detail {

class InsideCall {
 public:
  InsideCall();
  ~InsideCall();
  InsideCall(const InsideCall&) = delete;
  InsideCall& operator=(const InsideCall&) = delete;
};

template <typename Function>
struct Forwarded {
  Function function;

  template <typename... Arguments>
  auto operator()(Arguments... arguments) const {
    const InsideCall inside;
    return function(arguments...);
  }
};

}  // namespace detail

}  // namespace placecheck::cuda

// The real function of this name, looked up once.
#define PLACECHECK_REAL(function)                                                 \
  ([] {                                                                           \
    using Pointer = decltype(&(function));                                        \
    static const ::placecheck::cuda::detail::Forwarded<Pointer> kNext{            \
        reinterpret_cast<Pointer>(::placecheck::cuda::real_function(#function))}; \
    return kNext;                                                                 \
  }())

#endif  // PLACECHECK_RUNTIME_CUDA_REAL_LIBRARIES_H_
