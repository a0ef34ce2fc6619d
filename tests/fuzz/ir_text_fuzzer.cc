// libFuzzer target over IR text: parse, verify, print, link, serialize.
//   bazel run --config=asan --copt=-fsanitize=fuzzer-no-link //tests/fuzz:ir_text_fuzzer
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/ir_text_entry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const char* broken = placecheck::ir::check_ir_text(text);
  if (*broken == '\0') return 0;
  std::fprintf(stderr, "%s\n", broken);
  std::abort();
}
