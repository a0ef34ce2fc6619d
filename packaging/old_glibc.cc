// The one function of glibc 2.36 that the archives of LLVM and libstdc++ ask for: with it the
// program runs on glibc 2.34.
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" std::uint32_t arc4random() {
  std::uint32_t value = 0;
  // So few bytes are never cut short by a signal.
  if (getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) std::abort();
  return value;
}
