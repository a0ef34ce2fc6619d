// Judges random programs by hand: `bazel run //tests/oracle:search -- --programs=1000000`.
#include <cstdint>
#include <cstdio>
#include <string>

#include "llvm/Support/CommandLine.h"
#include "tests/oracle/generator.h"
#include "tests/oracle/judge.h"

namespace {

using namespace placecheck::oracle;

llvm::cl::opt<uint64_t> programs("programs", llvm::cl::init(10'000),
                                 llvm::cl::desc("how many programs to judge"));
llvm::cl::opt<uint64_t> first("seed", llvm::cl::init(0), llvm::cl::desc("of the first program"));
llvm::cl::opt<uint64_t> shown("show", llvm::cl::init(5),
                              llvm::cl::desc("how many violations to reduce and print"));
llvm::cl::opt<bool> traces("trace", llvm::cl::desc("print the states of what is shown"));

void print(const Totals& totals) {
  std::printf("%zu programs, %zu of them run on every choice of their inputs\n", totals.programs,
              totals.exhaustive);
  std::printf("%zu findings; of %zu instructions that fail, %zu found; %zu places known\n",
              totals.findings, totals.failing, totals.found, totals.known_places);
  std::printf("%zu too large, %zu with a claim that running does not bear out\n", totals.too_large,
              totals.violating);
}

void show(uint64_t seed, const SourceProgram& program, const Violation& violation) {
  const SourceProgram reduced = reduce(program, violation.kind);
  std::printf("seed %ju\n%s\n", uintmax_t{seed}, report(reduced, judge(reduced)).c_str());
  if (traces) judge(reduced, [](const std::string& text) { std::printf("%s\n", text.c_str()); });
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  Totals totals;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const SourceProgram program = random_program(seed);
    const Judgement judgement = judge(program);
    totals.add(judgement);
    if (!judgement.violations.empty() && totals.violating <= shown)
      show(seed, program, judgement.violations.front());
  }
  print(totals);
  return totals.violating == 0 ? 0 : 1;
}
