// A small report on two sources, for the tests of the output forms.
#ifndef PLACECHECK_TESTS_FINDINGS_SAMPLE_H_
#define PLACECHECK_TESTS_FINDINGS_SAMPLE_H_

#include <string>

#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::findings {

inline constexpr char kTrainSource[] =
    "int main() {\n"
    "  net->to(device);\n"
    "  auto out = net->forward(batch);\n"
    "\tx.to(device);\n"
    "}\n";

inline SourceCache sample_sources() {
  SourceCache sources;
  sources.add("/p/src/train.cc", kTrainSource);
  return sources;
}

inline Finding sample_mismatch() {
  return {.rule = "device-mismatch",
          .range = {"/p/src/train.cc", 3, 14, 3, 33},
          .message = "'batch' is on cpu but 'net' is on cuda:0",
          .notes = {{{"/p/src/train.cc", 2, 3}, "'net' was moved here"}},
          .predicted_error = "Expected all tensors to be on the same device!",
          .fix = "move 'batch' to cuda:0",
          .fix_its = {{{"/p/src/train.cc", 3, 32, 3, 32}, ".to(device)"}},
          .program = "/p/src/train.cc"};
}

inline Finding sample_transfer() {
  return {.rule = "discarded-transfer",
          .range = {"/p/src/train.cc", 4, 2},
          .message = "the result of 'x.to' is dropped"};
}

inline Report sample_report() {
  Report report;
  report.findings = {sample_mismatch(), sample_transfer()};
  report.files = {{.path = "/p/src/train.cc"},
                  {.path = "/p/src/half.cc",
                   .status = Understanding::kPartly,
                   .errors = 3,
                   .first_error = "'a, b: c.h' file not found"},
                  {.path = "/p/src/gone.cc",
                   .status = Understanding::kNot,
                   .errors = 1,
                   .first_error = "no such file"}};
  report.root = "/p";
  return report;
}

// What an emitter writes, as text.
template <typename Emit>
std::string written(Emit emit) {
  std::string text;
  llvm::raw_string_ostream out(text);
  emit(out);
  return text;
}

}  // namespace placecheck::findings

#endif  // PLACECHECK_TESTS_FINDINGS_SAMPLE_H_
