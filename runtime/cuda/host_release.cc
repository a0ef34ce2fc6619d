// free() and delete of memory that they did not allocate. Not under sanitizers, which have a free()
// of their own.
#include <cstdlib>

#include "rules/cuda_pointer_placement.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/witness.h"

#if defined(__has_feature)
#define PLACECHECK_HAS_FEATURE(name) __has_feature(name)
#else
#define PLACECHECK_HAS_FEATURE(name) 0
#endif

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !PLACECHECK_HAS_FEATURE(address_sanitizer) && !PLACECHECK_HAS_FEATURE(thread_sanitizer)

// glibc's own.
extern "C" void __libc_free(void* pointer);  // NOLINT(bugprone-reserved-identifier)

// In place of C's, which operator delete calls as well.
extern "C" void free(void* pointer) {
  using placecheck::cuda::MemoryKind;
  if (!placecheck::cuda::is_from_here(pointer)) {
    __libc_free(pointer);
    return;
  }
  const bool is_known = placecheck::cuda::memory_at(pointer).kind != MemoryKind::kManaged;
  const bool goes_on = placecheck::cuda::judge_release(
      pointer, placecheck::rules::cuda_pointer_placement::User::kHostRelease, "free");
  if (!is_known || !goes_on) std::abort();
}

#endif
