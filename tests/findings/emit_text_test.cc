#include <gtest/gtest.h>

#include "analyzer/findings/emitters.h"
#include "tests/findings/sample.h"

namespace placecheck::findings {
namespace {

std::string text_of(const Report& report, SourceCache& sources, TextOptions options = {}) {
  return written([&](llvm::raw_ostream& out) { emit_text(report, options, sources, out); });
}

// The caret line below one source line.
std::string shown_at(llvm::StringRef source, SourceRange range) {
  SourceCache sources;
  sources.add("a.cc", source);
  range.file = "a.cc";
  Report report;
  report.findings = {{.rule = "device-mismatch", .range = range, .message = "m"}};
  const std::string text = text_of(report, sources, {.color = false, .summary = false});
  return text.substr(text.find('\n') + 1);
}

TEST(EmitText, WritesEverything) {
  SourceCache sources = sample_sources();
  EXPECT_EQ(
      text_of(sample_report(), sources),
      "src/train.cc:3:14: warning: 'batch' is on cpu but 'net' is on cuda:0 [device-mismatch]\n"
      "  auto out = net->forward(batch);\n"
      "             ^~~~~~~~~~~~~~~~~~~\n"
      "src/train.cc:2:3: note: 'net' was moved here\n"
      "  net->to(device);\n"
      "  ^\n"
      "  at run time: Expected all tensors to be on the same device!\n"
      "  fix: move 'batch' to cuda:0\n"
      "src/train.cc:4:2: warning: the result of 'x.to' is dropped [discarded-transfer]\n"
      "\tx.to(device);\n"
      "\t^\n"
      "src/half.cc: only partly understood (3 errors, first: 'a, b: c.h' file not found)\n"
      "src/gone.cc: not understood: no such file\n"
      "placecheck: 2 findings in 3 files (1 only partly understood, 1 not understood)\n");
}

TEST(EmitText, NamesTheCellOfANotebook) {
  SourceCache sources;
  sources.add("a.ipynb",
              "{\"cells\": [{\"cell_type\": \"markdown\"},\n"
              "{\"cell_type\": \"code\", \"source\": [\n"
              "\"x = 1\\n\",\n"
              "\"x.to(y)\"]}]}\n");
  Report report;
  report.findings = {
      {.rule = "discarded-transfer", .range = {"a.ipynb", 4, 2, 4, 9}, .message = "m"}};
  EXPECT_EQ(text_of(report, sources, {.color = false, .summary = false}),
            "a.ipynb:4:2: warning: m [discarded-transfer]\n"
            "\"x.to(y)\"]}]}\n"
            " ^~~~~~~\n"
            "  in cell 2, line 2\n");
}

TEST(EmitText, EmptyReportIsOneLine) {
  SourceCache sources;
  Report report;
  report.files = {{.path = "a.cc"}};
  EXPECT_EQ(text_of(report, sources), "placecheck: no findings in 1 file\n");
  report.suppressed = 2;
  report.baselined = 1;
  EXPECT_EQ(text_of(report, sources),
            "placecheck: no findings in 1 file; 2 suppressed; 1 known from the baseline\n");
}

TEST(EmitText, SaysHowMuchIsKnown) {
  SourceCache sources;
  Report report;
  report.files = {{.path = "a.cc"}};
  report.coverage = {{"a.cc", 6, 6}, {"b.h", 2, 2}};
  report.unmodelled = {{"house::load", 3}};
  EXPECT_EQ(text_of(report, sources),
            "placecheck: no findings in 1 file; places known at 8 of 8 operations (100 %)\n");
  report.coverage[0].understood = 1;
  report.unmodelled.push_back({"house::open", 1});
  EXPECT_EQ(text_of(report, sources),
            "placecheck: no findings in 1 file; places known at 3 of 8 operations (37 %)\n"
            "placecheck: unknown places come from calls without a model: house::load (3), "
            "house::open (1)\n");
}

TEST(EmitText, ColorOnlyAddsEscapes) {
  SourceCache sources = sample_sources();
  const std::string plain = text_of(sample_report(), sources);
  std::string colored = text_of(sample_report(), sources, {.color = true, .summary = true});
  EXPECT_NE(colored, plain);
  for (std::size_t at; (at = colored.find('\x1b')) != std::string::npos;) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  EXPECT_EQ(colored, plain);
}

TEST(EmitText, MissingSourceLeavesTheLineOut) {
  SourceCache sources;
  Report report;
  report.findings = {
      {.rule = "device-mismatch", .range = {"/no/such/file.cc", 3, 1}, .message = "m"}};
  EXPECT_EQ(text_of(report, sources, {.color = false, .summary = false}),
            "/no/such/file.cc:3:1: warning: m [device-mismatch]\n");
}

TEST(EmitText, LaterLinesOfAnErrorAreIndented) {
  SourceCache sources;
  Report report;
  report.findings = {{.rule = "state-dict-prefix",
                      .range = {"x.cc", 1, 1},
                      .message = "m",
                      .predicted_error = "Error(s):\n\tMissing"}};
  EXPECT_EQ(text_of(report, sources, {.color = false, .summary = false}),
            "x.cc:1:1: warning: m [state-dict-prefix]\n"
            "  at run time: Error(s):\n"
            "    \tMissing\n");
}

TEST(EmitText, CaretCountsCharactersNotBytes) {
  EXPECT_EQ(shown_at("s = \"\xC3\xA4\xC3\xB6\"; f(x);\n", {"", 1, 13, 1, 17}),
            "s = \"\xC3\xA4\xC3\xB6\"; f(x);\n          ^~~~\n");
}

TEST(EmitText, RangeOverSeveralLinesEndsWithItsFirst) {
  EXPECT_EQ(shown_at("f(a,\n  b);\n", {"", 1, 1, 2, 5}), "f(a,\n^~~~\n");
}

TEST(EmitText, ColumnBeyondTheLineShowsNothing) {
  EXPECT_EQ(shown_at("ab\n", {"", 1, 9}), "");
  EXPECT_EQ(shown_at("ab\n", {"", 7, 1}), "");
  EXPECT_EQ(shown_at("ab\n", {"", 1, 3}), "ab\n  ^\n");
}

TEST(EmitText, LongLinesAreCutAroundTheCaret) {
  const std::string line = std::string(5000, 'a') + "HERE" + std::string(5000, 'b');
  const std::string shown = shown_at(line, {"", 1, 5001, 1, 5005});
  EXPECT_LT(shown.size(), 400u);
  const std::size_t caret = shown.find('^') - shown.find('\n') - 1;
  EXPECT_EQ(shown.substr(caret, 4), "HERE");
  EXPECT_NE(shown.find("^~~~\n"), std::string::npos);
}

TEST(EmitText, OddBytesAreMadePrintable) {
  const std::string shown = shown_at(std::string("a\xFF\x01z;\n", 6), {"", 1, 4});
  EXPECT_EQ(shown, "a\xEF\xBF\xBD z;\n   ^\n");
}

}  // namespace
}  // namespace placecheck::findings
