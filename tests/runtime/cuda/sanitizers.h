// Which sanitizer a test is built with: each has a free() and a word on signals of its own.
#ifndef PLACECHECK_TESTS_RUNTIME_CUDA_SANITIZERS_H_
#define PLACECHECK_TESTS_RUNTIME_CUDA_SANITIZERS_H_

namespace placecheck::cuda {

#if defined(__has_feature)
inline constexpr bool kHasAddressSanitizer = __has_feature(address_sanitizer);
inline constexpr bool kHasThreadSanitizer = __has_feature(thread_sanitizer);
#else
inline constexpr bool kHasAddressSanitizer = false;
inline constexpr bool kHasThreadSanitizer = false;
#endif

}  // namespace placecheck::cuda

#endif  // PLACECHECK_TESTS_RUNTIME_CUDA_SANITIZERS_H_
