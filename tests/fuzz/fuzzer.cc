// libFuzzer's side of every fuzz target.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/entry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string broken =
      placecheck::fuzz::check(std::string(reinterpret_cast<const char*>(data), size));
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
