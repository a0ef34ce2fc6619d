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

struct Totals {
  uint64_t programs = 0, exhaustive = 0, too_large = 0, findings = 0, failing = 0, found = 0;
  uint64_t known_places = 0, violating = 0;

  void add(const Judgement& judgement) {
    ++programs;
    exhaustive += judgement.is_exhaustive;
    too_large += judgement.is_too_large;
    findings += judgement.findings;
    failing += judgement.failing;
    found += judgement.found;
    known_places += judgement.known_places;
    violating += !judgement.violations.empty();
  }
  void print() const {
    std::printf("%ju programs, %ju of them run on every choice of their inputs\n",
                uintmax_t{programs}, uintmax_t{exhaustive});
    std::printf("%ju findings; of %ju instructions that fail, %ju found; %ju places known\n",
                uintmax_t{findings}, uintmax_t{failing}, uintmax_t{found}, uintmax_t{known_places});
    std::printf("%ju too large, %ju with a claim that running does not bear out\n",
                uintmax_t{too_large}, uintmax_t{violating});
  }
};

void show(uint64_t seed, const SourceProgram& program, const Judgement& judgement) {
  const SourceProgram reduced =
      judgement.violations.empty() ? program : reduce(program, judgement.violations.front().kind);
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
    if (!judgement.violations.empty() && totals.violating <= shown) show(seed, program, judgement);
  }
  totals.print();
  return totals.violating == 0 ? 0 : 1;
}
