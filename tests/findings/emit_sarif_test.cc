#include <gtest/gtest.h>

#include <iterator>
#include <set>

#include "analyzer/findings/emitters.h"
#include "analyzer/findings/suppression.h"
#include "llvm/Support/JSON.h"
#include "rules/catalog.h"
#include "tests/findings/sample.h"

namespace placecheck::findings {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

Value sarif_of(const Report& report, SourceCache& sources) {
  const SarifOptions options{.version = "1.2.3", .help_base = "https://example.org/rules/docs/"};
  const std::string text =
      written([&](llvm::raw_ostream& out) { emit_sarif(report, options, sources, out); });
  llvm::Expected<Value> value = llvm::json::parse(text);
  if (value) return *value;
  ADD_FAILURE() << llvm::toString(value.takeError());
  return nullptr;
}

class EmitSarif : public testing::Test {
 protected:
  SourceCache sources_ = sample_sources();
  Value log_ = sarif_of(sample_report(), sources_);

  const Object& run() { return *log_.getAsObject()->getArray("runs")->front().getAsObject(); }
  const Object& driver() { return *run().getObject("tool")->getObject("driver"); }
  const Object& result(std::size_t i) { return *(*run().getArray("results"))[i].getAsObject(); }
};

Value parsed(llvm::StringRef text) {
  llvm::Expected<Value> value = llvm::json::parse(text);
  if (value) return *value;
  ADD_FAILURE() << llvm::toString(value.takeError());
  return nullptr;
}

TEST_F(EmitSarif, SaysWhatItIs) {
  EXPECT_EQ(log_.getAsObject()->getString("version"), "2.1.0");
  EXPECT_TRUE(log_.getAsObject()->getString("$schema")->ends_with("sarif-schema-2.1.0.json"));
  EXPECT_EQ(log_.getAsObject()->getArray("runs")->size(), 1u);
  EXPECT_EQ(driver().getString("name"), "placecheck");
  EXPECT_EQ(driver().getString("version"), "1.2.3");
  EXPECT_EQ(*run().getObject("originalUriBaseIds"),
            *parsed(R"json({"SRCROOT": {"uri": "file:///p/"}})json").getAsObject());
}

TEST_F(EmitSarif, DescribesEveryRuleOnce) {
  std::set<std::string> ids;
  for (const Value& value : *driver().getArray("rules")) {
    const Object& rule = *value.getAsObject();
    const std::string id = rule.getString("id")->str();
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_FALSE(rule.getObject("shortDescription")->getString("text")->empty()) << id;
    EXPECT_FALSE(rule.getObject("help")->getString("text")->empty()) << id;
    const auto level = rule.getObject("defaultConfiguration")->getString("level");
    EXPECT_TRUE(level == "error" || level == "warning" || level == "note") << id;
    if (!rules::find_rule(id)) continue;
    EXPECT_EQ(rule.getString("helpUri"), "https://example.org/rules/docs/" + id + ".md");
    EXPECT_TRUE(rule.getObject("help")->getString("markdown")->starts_with("# " + id)) << id;
  }
  EXPECT_EQ(ids.size(), rules::catalog().size() + std::size(kSuppressionRules));
}

TEST_F(EmitSarif, ResultHasItsPlaceAndRule) {
  ASSERT_EQ(run().getArray("results")->size(), 2u);
  const Object& first = result(0);
  EXPECT_EQ(first.getString("ruleId"), "device-mismatch");
  const auto index = static_cast<std::size_t>(*first.getInteger("ruleIndex"));
  const Value& rule = (*driver().getArray("rules"))[index];
  EXPECT_EQ(rule.getAsObject()->getString("id"), "device-mismatch");
  EXPECT_EQ(first.getString("level"), "error");
  EXPECT_EQ(result(1).getString("level"), "warning");
  EXPECT_EQ(*first.get("locations"), parsed(R"json([{"physicalLocation": {
      "artifactLocation": {"uri": "src/train.cc", "uriBaseId": "SRCROOT"},
      "region": {"startLine": 3, "startColumn": 14, "endLine": 3, "endColumn": 33}}}])json"));
}

TEST_F(EmitSarif, MessageTellsTheErrorAndTheFix) {
  EXPECT_EQ(result(0).getObject("message")->getString("text"),
            "'batch' is on cpu but 'net' is on cuda:0\n"
            "at run time: Expected all tensors to be on the same device!\n"
            "fix: move 'batch' to cuda:0");
  EXPECT_EQ(result(1).getObject("message")->getString("text"), "the result of 'x.to' is dropped");
}

TEST_F(EmitSarif, NotesAreRelatedLocations) {
  EXPECT_EQ(*result(0).get("relatedLocations"), parsed(R"json([{"id": 1,
      "physicalLocation": {
        "artifactLocation": {"uri": "src/train.cc", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 2, "startColumn": 3}},
      "message": {"text": "'net' was moved here"}}])json"));
  EXPECT_EQ(result(1).get("relatedLocations"), nullptr);
}

TEST_F(EmitSarif, TheWayToAFindingIsACodeFlow) {
  EXPECT_EQ(*result(0).get("codeFlows"), parsed(R"json([{"threadFlows": [{"locations": [
      {"location": {
        "physicalLocation": {
          "artifactLocation": {"uri": "src/train.cc", "uriBaseId": "SRCROOT"},
          "region": {"startLine": 2, "startColumn": 3}},
        "message": {"text": "'net' was moved here"}}},
      {"location": {
        "physicalLocation": {
          "artifactLocation": {"uri": "src/train.cc", "uriBaseId": "SRCROOT"},
          "region": {"startLine": 3, "startColumn": 14, "endLine": 3, "endColumn": 33}},
        "message": {"text": "'batch' is on cpu but 'net' is on cuda:0"}}}]}]}])json"));
  EXPECT_EQ(result(1).get("codeFlows"), nullptr);
}

TEST_F(EmitSarif, FixItsAreFixes) {
  EXPECT_EQ(*result(0).get("fixes"), parsed(R"json([{
      "description": {"text": "move 'batch' to cuda:0"},
      "artifactChanges": [{
        "artifactLocation": {"uri": "src/train.cc", "uriBaseId": "SRCROOT"},
        "replacements": [{
          "deletedRegion": {"startLine": 3, "startColumn": 32, "endLine": 3, "endColumn": 32},
          "insertedContent": {"text": ".to(device)"
}
}]
}]
}])json"));
  EXPECT_EQ(result(1).get("fixes"), nullptr);
}

TEST_F(EmitSarif, FingerprintsTellResultsApart) {
  const auto first = result(0).getObject("partialFingerprints")->getString("placecheck/v1");
  const auto second = result(1).getObject("partialFingerprints")->getString("placecheck/v1");
  EXPECT_EQ(first->size(), 16u);
  EXPECT_NE(*first, *second);
}

TEST_F(EmitSarif, FilesNotFullyUnderstoodAreNotifications) {
  const Object& invocation = *run().getArray("invocations")->front().getAsObject();
  EXPECT_EQ(invocation.getBoolean("executionSuccessful"), true);
  const Array& notes = *invocation.getArray("toolExecutionNotifications");
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0], parsed(R"json({"level": "warning",
      "message": {"text": "only partly understood (3 errors, first: 'a, b: c.h' file not found)"
}
, "locations" : [
  {"physicalLocation" : {"artifactLocation" : {"uri" : "src/half.cc", "uriBaseId" : "SRCROOT"}}}
]
})json"));
  EXPECT_EQ(notes[1].getAsObject()->getString("level"), "error");
}

TEST(EmitSarifOddly, PathsAreEncodedAndColumnsCountUtf16) {
  SourceCache sources;
  sources.add("/q/a b\xC3\xA4.cc", "\xC3\xA4\xF0\x9F\x98\x80x;\n");
  Report report;
  report.findings = {{.rule = "device-mismatch",
                      .range = {"/q/a b\xC3\xA4.cc", 1, 7, 1, 8},
                      .message = "\xFF",
                      .fix_its = {{{"/q/a b\xC3\xA4.cc", 1, 7}, "\xFF"}}}};
  const Value log = sarif_of(report, sources);
  const Object& run = *log.getAsObject()->getArray("runs")->front().getAsObject();
  const Object& result = *run.getArray("results")->front().getAsObject();
  EXPECT_EQ(*result.get("locations"), parsed(R"json([{"physicalLocation": {
      "artifactLocation": {"uri": "file:///q/a%20b%C3%A4.cc"},
      "region": {"startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 5}}}])json"));
  EXPECT_EQ(result.getObject("message")->getString("text"), "\xEF\xBF\xBD");
  EXPECT_EQ(run.get("originalUriBaseIds"), nullptr);
}

TEST(EmitSarifOddly, EmptyReportIsStillAWholeLog) {
  SourceCache sources;
  const Value log = sarif_of({}, sources);
  const Object& run = *log.getAsObject()->getArray("runs")->front().getAsObject();
  EXPECT_TRUE(run.getArray("results")->empty());
  EXPECT_NE(run.getObject("tool"), nullptr);
}

}  // namespace
}  // namespace placecheck::findings
