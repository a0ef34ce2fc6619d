// Fixtures that end early, or in which a word means nothing: nothing crashes, and nothing is found
// on lines that are sound in the whole fixture.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/checks/fixtures.h"
#include "tests/checks/pipeline.h"

namespace placecheck::checks {
namespace {

namespace fs = std::filesystem;

constexpr size_t kStep = 1000;  // bytes from one cut to the next
constexpr int kWordsEach = 2;   // that lose their meaning, in turn
// Known: who saved a file, or gave memory to the device, is no longer seen; a pointer that an
// unfinished call is given counts as read by the host; what an operation yields is where its known
// operand is.
constexpr size_t kKnownFalseAlarms = 11;

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool starts_word(std::string_view text, size_t at) {
  return is_of_word(text[at]) && !std::isdigit(static_cast<unsigned char>(text[at])) &&
         (at == 0 || !is_of_word(text[at - 1]));
}

// Where the words of the code begin: not those of comments, directives and texts.
std::vector<size_t> words_of_code(std::string_view text) {
  std::vector<size_t> words;
  bool in_text = false;
  for (size_t at = 0; at < text.size(); ++at) {
    bool is_line_start = at == 0 || text[at - 1] == '\n';
    if (text.substr(at).starts_with("//") || (is_line_start && text[at] == '#')) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (text[at] == '"') in_text = !in_text;
    if (!in_text && starts_word(text, at)) words.push_back(at);
  }
  return words;
}

size_t end_of_word(std::string_view text, size_t at) {
  while (at < text.size() && is_of_word(text[at])) ++at;
  return at;
}

std::string without_meaning(const std::string& text, size_t at) {
  return text.substr(0, at) + "means_nothing" + text.substr(end_of_word(text, at));
}

// The functions of calls, the devices that they are given and where names come from. Another
// condition, receiver or variable would make another program, as sound as the first.
bool is_replaceable(std::string_view text, size_t at) {
  size_t end = end_of_word(text, at);
  size_t begin_of_line = text.rfind('\n', at) + 1;
  std::string_view line = text.substr(begin_of_line, text.find('\n', at) - begin_of_line);
  std::string_view before = text.substr(begin_of_line, at - begin_of_line);
  std::string_view rest = text.substr(end);
  bool is_statement = line.starts_with("  ") && line.find(");") != std::string_view::npos &&
                      line.find("if (") == std::string_view::npos &&
                      line.find('{') == std::string_view::npos;
  bool is_function = rest.starts_with("(") && before.starts_with("  ");
  bool is_device = before.ends_with("to(") && rest.starts_with(")");
  bool is_argument = before.ends_with("(") || before.ends_with(", ");
  return is_statement && (is_function || is_device || (is_argument && rest.starts_with("::")));
}

struct Variant {
  std::string text;
  size_t cut_line = 0;  // the one that is not whole; 0 if none
};

std::vector<Variant> broken_variants(const std::string& text, std::mt19937& random) {
  std::vector<Variant> variants;
  for (size_t at = kStep; at < text.size(); at += kStep) {
    std::string start = text.substr(0, at);
    size_t line = 1 + std::ranges::count(start, '\n');
    variants.push_back({std::move(start), line});
  }
  std::vector<size_t> words = words_of_code(text);
  std::erase_if(words, [&](size_t at) { return !is_replaceable(text, at); });
  for (int i = 0; i < kWordsEach && !words.empty(); ++i)
    variants.push_back({without_meaning(text, words[random() % words.size()])});
  return variants;
}

// The lines in which the fixture says that something is found, or should be.
std::set<size_t> marked_lines(const std::string& text) {
  std::set<size_t> lines;
  std::istringstream in(text);
  size_t number = 1;
  for (std::string line; std::getline(in, line); ++number) {
    if (line.find("// expect") != std::string::npos || line.find("# expect") != std::string::npos)
      lines.insert(number);
  }
  return lines;
}

struct BrokenFile {
  std::string path;
  std::set<size_t> may_be_found;
};

std::vector<BrokenFile> write_broken_files(const fs::path& folder) {
  std::vector<BrokenFile> files;
  for (const auto& [name, members] : find_fixtures()) {
    const fs::path fixture = kTestdata / fs::path(name);
    if (!fs::is_regular_file(fixture)) continue;
    const std::string text = text_of(fixture.string());
    if (text.find("// devices: ") != std::string::npos ||
        text.find("# devices: ") != std::string::npos)
      continue;
    std::seed_seq seed(name.begin(), name.end());
    std::mt19937 random(seed);
    for (const Variant& variant : broken_variants(text, random)) {
      std::string file = fixture.parent_path().filename().string() + "_" + fixture.stem().string() +
                         "_" + std::to_string(files.size()) + fixture.extension().string();
      files.push_back({(folder / file).string(), marked_lines(text)});
      files.back().may_be_found.insert(variant.cut_line);
      std::ofstream(files.back().path) << variant.text;
    }
  }
  return files;
}

TEST(BrokenCode, MakesNoFindings) {
  const fs::path project = project_folder("project");
  const std::vector<BrokenFile> files = write_broken_files(project);
  ASSERT_GE(files.size(), 800u);
  std::vector<std::string> paths;
  for (const BrokenFile& each : files) paths.push_back(each.path);
  Pipeline pipeline(project.string(), paths, test_folder("cache"), {"-I" + project.string()});
  size_t judged = 0, false_alarms = 0;
  std::ostringstream report;
  for (const BrokenFile& each : files) {
    if (lacks_toolkit(pipeline.report_of(each.path))) continue;
    ++judged;
    for (const findings::Finding& found : pipeline.judge({each.path})) {
      if (each.may_be_found.count(found.range.line)) continue;
      ++false_alarms;
      report << fs::path(each.path).filename() << ':' << found.range.line << ": " << found.message
             << " [" << found.rule << "]\n"
             << text_of(each.path) << '\n';
    }
  }
  EXPECT_LE(false_alarms, kKnownFalseAlarms) << report.str();
  EXPECT_GE(judged, 500u);
}

}  // namespace
}  // namespace placecheck::checks
