// The HTML report: that it holds what it should, and that nothing of the analysed source gets out
// of its data. What it looks like and does is for html/report_test.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/findings/emitters.h"
#include "analyzer/findings/html/page.h"
#include "analyzer/findings/html/source_text.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "tests/findings/sample.h"

namespace placecheck::findings {
namespace {

using dataflow::DecidedPlace;
using dataflow::PlaceClass;
using html::Segment;
using html::SourceLine;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string page_of(const Report& report, SourceCache sources = sample_sources()) {
  std::string text =
      written([&](llvm::raw_ostream& out) { emit_html(report, {"0.1.0"}, sources, out); });
  EXPECT_TRUE(llvm::json::isUTF8(text));
  return text;
}

// The text between two others; empty if they are not there.
std::string between(llvm::StringRef text, llvm::StringRef begin, llvm::StringRef end) {
  size_t at = text.find(begin);
  if (at == llvm::StringRef::npos) return "";
  text = text.drop_front(at + begin.size());
  return text.take_front(text.find(end)).str();
}

std::string element_text(const std::string& page, const std::string& id) {
  return between(page, "<script type=\"application/json\" id=\"" + id + "\">", "</script>");
}

llvm::json::Object element(const std::string& page, const std::string& id) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(element_text(page, id));
  if (value && value->getAsObject()) return *value->getAsObject();
  ADD_FAILURE() << id << ": " << (value ? "no object" : llvm::toString(value.takeError()));
  return {};
}

size_t count(llvm::StringRef text, llvm::StringRef part) { return text.count(part); }

Report report_with_places() {
  Report report = sample_report();
  const DecidedPlace cpu{PlaceClass::kCpu, -1, "cpu", "created on cpu", "/p/src/net.h", 7, 3};
  const DecidedPlace gpu{PlaceClass::kCuda, 1, "cuda:1", "moved to cuda:1",
                         "/p/src/train.cc", 2, 3};
  uint32_t on_gpu = report.places.intern(gpu);
  uint32_t on_cpu = report.places.intern(cpu);
  report.places.record("/p/src/train.cc", {3, 14, 3, 33}, "tensor", on_gpu);
  report.places.record("/p/src/train.cc", {3, 14, 3, 33}, "tensor", on_cpu);
  report.places.record("/p/src/train.cc", {3, 27, 3, 32}, "tensor", on_cpu);
  report.coverage = {{"/p/src/train.cc", 6, 5, {{3, 14}}}};
  return report;
}

TEST(EmitHtml, HoldsFindingsFilesAndRules) {
  const std::string page = page_of(report_with_places());
  const llvm::json::Object report = element(page, "report");
  const llvm::json::Array& findings = *report.getArray("findings");
  ASSERT_EQ(findings.size(), 2u);
  const llvm::json::Object& first = *findings[0].getAsObject();
  EXPECT_EQ(first.getString("rule"), "device-mismatch");
  EXPECT_EQ(first.getInteger("line"), 3);
  EXPECT_EQ(first.getInteger("start"), 13) << "columns count from 0";
  EXPECT_EQ(first.getInteger("end"), 32);
  EXPECT_EQ(first.getArray("notes")->size(), 1u);
  EXPECT_EQ(first.getString("fix"), "move 'batch' to cuda:0");
  const llvm::json::Array& files = *report.getArray("files");
  ASSERT_EQ(files.size(), 3u);
  const llvm::json::Object& train = *files[*first.getInteger("file")].getAsObject();
  EXPECT_EQ(train.getString("path"), "src/train.cc");
  EXPECT_EQ(train.getInteger("operations"), 6);
  EXPECT_EQ(train.getInteger("known"), 5);
  EXPECT_EQ(train.getBoolean("source"), true);
  EXPECT_EQ(files[0].getAsObject()->getBoolean("source"), false) << "gone.cc cannot be read";
  const llvm::json::Object& rule = *(*report.getArray("rules"))[0].getAsObject();
  EXPECT_THAT(rule.getString("page")->str(), HasSubstr("# device-mismatch"));
}

TEST(EmitHtml, EachLetterBelongsToTheInnermostExpression) {
  const llvm::json::Object source = element(page_of(report_with_places()), "file-2");
  EXPECT_EQ(source.getString("text"), kTrainSource);
  const llvm::json::Array& line = *(*source.getArray("segments"))[2].getAsArray();
  EXPECT_EQ(line, llvm::json::Array({13, 26, 0, 26, 31, 1, 31, 32, 0}));
  const llvm::json::Array& kinds = *source.getArray("kinds");
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(*kinds[0].getAsObject()->getArray("places"), llvm::json::Array({0, 1}));
  const llvm::json::Array& places = *source.getArray("places");
  EXPECT_EQ(places[0].getAsObject()->getString("class"), "cpu") << "known ones in their order";
  EXPECT_EQ(places[1].getAsObject()->getInteger("index"), 1);
  EXPECT_EQ(places[0].getAsObject()->getString("path"), "src/net.h") << "no file of the report";
  // Compilers disagree on what `Array({Array(...)})` is.
  llvm::json::Array unknown;
  unknown.push_back(llvm::json::Array({3, 13}));
  EXPECT_EQ(*source.getArray("unknown_operations"), unknown);
}

TEST(EmitHtml, NeedsNothingElse) {
  const std::string parts = std::string(html::style()) + std::string(html::script());
  for (const char* outside :
       {"http://", "https://", "//cdn", "@import", "url(", "import(", "fetch("})
    EXPECT_THAT(parts, Not(HasSubstr(outside)));
  const std::string page = page_of(sample_report());
  for (const char* outside : {" src=", "<link", "<base", "<iframe", "<img"})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

std::string hash_of(const std::string& text) {
  llvm::SHA256 hash;
  hash.update(text);
  return "'sha256-" + llvm::encodeBase64(hash.final()) + "'";
}

TEST(EmitHtml, NothingButItsOwnScriptMayRun) {
  const std::string page = page_of(sample_report());
  EXPECT_THAT(page, HasSubstr("script-src " + hash_of(between(page, "<script>", "</script>"))));
  EXPECT_THAT(page, HasSubstr("style-src " + hash_of(between(page, "<style>", "</style>"))));
  EXPECT_THAT(std::string(html::script()), Not(HasSubstr("</script")));
  EXPECT_THAT(std::string(html::script()), Not(HasSubstr("innerHTML")));
}

constexpr char kAttack[] = "</script><script>alert(1)</script><!-- <script> ]]> & \" '";

TEST(EmitHtml, NothingOfTheSourceIsMarkup) {
  Report report;
  const std::string path = std::string("/p/") + kAttack + ".cc";
  report.root = "/p";
  report.findings = {{.rule = kAttack,
                      .range = {path, 1, 1},
                      .message = kAttack,
                      .notes = {{{path, 1, 1}, kAttack}},
                      .predicted_error = kAttack,
                      .fix = kAttack,
                      .program = path}};
  report.files = {{path, Understanding::kPartly, 1, kAttack, {kAttack}}};
  report.unmodelled = {{kAttack, 1}};
  report.too_large = {kAttack};
  report.large_functions = {{kAttack, path, 1}};
  report.places.record(
      path, {1, 1, 1, 5}, kAttack,
      report.places.intern({PlaceClass::kSymbolic, -1, kAttack, kAttack, path, 1, 1}));
  SourceCache sources;
  sources.add(path, kAttack);
  const std::string page = page_of(report, std::move(sources));
  EXPECT_EQ(count(page, "</script"), 3u) << "the report, one file, the script";
  EXPECT_EQ(count(page, "<script"), 3u);
  EXPECT_EQ(count(page, "<!--"), 0u);
  EXPECT_EQ(count(page, "alert(1)</"), 0u);
  EXPECT_EQ(element(page, "file-0").getString("text"), std::string(kAttack) + "\n");
  const llvm::json::Object data = element(page, "report");
  EXPECT_EQ((*data.getArray("findings"))[0].getAsObject()->getString("message"), kAttack);
  EXPECT_THAT(between(page, "<noscript>", "</noscript>"), Not(HasSubstr("<script")));
}

TEST(EmitHtml, WhatIsNotUtf8IsReplacedAndKeepsItsColumns) {
  Report report;
  const std::string path = "/p/\xFF\xFE.cc";
  report.findings = {{.rule = "device-mismatch", .range = {path, 1, 4, 1, 6}, .message = "\xC3("}};
  SourceCache sources;
  sources.add(path, "a\xFF\xF0\x9F\x98\x80z\n");
  report.findings[0].range = {path, 1, 7, 1, 8};  // the z
  const std::string page = page_of(report, std::move(sources));
  llvm::json::Object parsed = element(page, "report");
  const llvm::json::Object& finding = *(*parsed.getArray("findings"))[0].getAsObject();
  EXPECT_EQ(finding.getInteger("start"), 4) << "a, a replacement, a pair of surrogates";
  EXPECT_EQ(finding.getInteger("end"), 5);
}

TEST(EmitHtml, SaysInWhichScenariosAFindingHolds) {
  Report report = report_with_places();
  report.findings[0].scenarios = {"devices=1", "visible='2'"};
  const std::string page = page_of(report);
  const llvm::json::Object parsed = element(page, "report");
  const llvm::json::Array& findings = *parsed.getArray("findings");
  EXPECT_EQ(findings[0].getAsObject()->getString("scenarios"), "devices=1; visible='2'");
  EXPECT_FALSE(findings[1].getAsObject()->getString("scenarios"));
  EXPECT_THAT(page, HasSubstr("; only with: devices=1; visible=&#39;2&#39;</li>"));
}

TEST(EmitHtml, AnEmptyReportIsAPage) {
  const std::string page = page_of(Report{}, SourceCache());
  EXPECT_THAT(page, HasSubstr("</html>"));
  EXPECT_EQ(element(page, "report").getArray("findings")->size(), 0u);
}

std::vector<std::vector<unsigned>> plain(const std::vector<std::vector<Segment>>& lines) {
  std::vector<std::vector<unsigned>> result;
  for (const auto& line : lines) {
    result.emplace_back();
    for (const Segment& each : line)
      result.back().insert(result.back().end(),
                           {each.start, each.end, static_cast<unsigned>(each.expression)});
  }
  return result;
}

TEST(SourceText, AnExpressionOfSeveralLinesLeavesIndentationOut) {
  const std::vector<SourceLine> lines{SourceLine("x = f("), SourceLine("    y,"), SourceLine(""),
                                      SourceLine("    z)  ")};
  EXPECT_THAT(plain(html::segments_of({{1, 5, 4, 7}, {2, 5, 2, 6}}, lines)),
              ElementsAre(ElementsAre(4, 6, 0), ElementsAre(4, 5, 1, 5, 6, 0), ElementsAre(),
                          ElementsAre(4, 6, 0)));
}

TEST(SourceText, RangesBeyondTheTextDoNoHarm) {
  const std::vector<SourceLine> lines{SourceLine("ab")};
  EXPECT_THAT(plain(html::segments_of({{1, 2, 9, 9}, {7, 1, 7, 2}, {0, 0, 0, 0}}, lines)),
              ElementsAre(ElementsAre(1, 2, 0)));
}

TEST(SourceText, ColumnsAreInUtf16) {
  const SourceLine line(
      "\xC3\xA4\xF0\x9F\x98\x80\xE2\x82"
      "b");
  EXPECT_EQ(line.units_before(1), 0u);
  EXPECT_EQ(line.units_before(3), 1u) << "behind a letter of two bytes";
  EXPECT_EQ(line.units_before(7), 3u) << "behind one that takes two units";
  EXPECT_EQ(line.units_before(9), 5u) << "behind two bytes that are none";
  EXPECT_EQ(line.units_before(99), 6u);
}

}  // namespace
}  // namespace placecheck::findings
