#include <gtest/gtest.h>

#include "analyzer/findings/emitters.h"
#include "tests/findings/sample.h"

namespace placecheck::findings {
namespace {

std::string github_of(const Report& report) {
  return written([&](llvm::raw_ostream& out) { emit_github(report, out); });
}

TEST(EmitGithub, WritesEverything) {
  EXPECT_EQ(
      github_of(sample_report()),
      "::warning file=src/train.cc,line=3,col=14,endColumn=32,title=device-mismatch::'batch' is "
      "on cpu but 'net' is on cuda:0%0Asrc/train.cc:2: 'net' was moved here%0Aat run time: "
      "Expected all tensors to be on the same device!%0Afix: move 'batch' to cuda:0\n"
      "::warning file=src/train.cc,line=4,col=2,title=discarded-transfer::the result of 'x.to' "
      "is dropped\n"
      "::notice file=src/half.cc,title=placecheck::only partly understood (3 errors, first: 'a, "
      "b: c.h' file not found)\n"
      "::notice file=src/gone.cc,title=placecheck::not understood: no such file\n"
      "::notice title=placecheck::2 findings in 3 files (1 only partly understood, 1 not "
      "understood)\n");
}

TEST(EmitGithub, EscapesWhatItsSyntaxUses) {
  Report report;
  report.findings = {
      {.rule = "device-mismatch", .range = {"a,b:c%.cc", 1, 2, 5, 1}, .message = "50% a,b:\r\nc"}};
  const std::string text = github_of(report);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "::warning file=a%2Cb%3Ac%25.cc,line=1,endLine=5,title=device-mismatch::50%25 "
            "a,b:%0D%0Ac");
}

}  // namespace
}  // namespace placecheck::findings
