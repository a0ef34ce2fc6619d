#include "analyzer/findings/baseline.h"

#include <map>
#include <utility>

#include "analyzer/files/nesting.h"
#include "analyzer/files/regular_file.h"
#include "analyzer/findings/json_text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::findings {
namespace {

std::string without_spacing(llvm::StringRef line) {
  std::string text;
  for (char c : line) {
    if (!llvm::isSpace(c)) text += c;
  }
  return text;
}

}  // namespace

std::vector<std::string> fingerprints(const Report& report, SourceCache& sources) {
  std::map<std::string, unsigned> occurrences;
  std::vector<std::string> result;
  result.reserve(report.findings.size());
  for (const Finding& finding : report.findings) {
    std::string key = finding.rule + '\n' + relative_path(finding.range.file, report.root) + '\n' +
                      without_spacing(sources.line(finding.range.file, finding.range.line));
    const unsigned occurrence = occurrences[key]++;
    key += '\n' + std::to_string(occurrence);
    result.push_back(llvm::utohexstr(llvm::xxh3_64bits(key), /*LowerCase=*/true, /*Width=*/16));
  }
  return result;
}

Baseline::Baseline(const Report& report, SourceCache& sources) {
  const std::vector<std::string> prints = fingerprints(report, sources);
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const Finding& finding = report.findings[i];
    entries_.push_back(
        {prints[i], finding.rule, relative_path(finding.range.file, report.root), finding.message});
    known_.insert(prints[i]);
  }
}

llvm::Expected<Baseline> Baseline::parse(llvm::StringRef text) {
  if (files::json_nesting(text) > files::kMaxNesting)
    return llvm::createStringError("not a placecheck baseline: nested too deep");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) return value.takeError();
  const llvm::json::Object* object = value->getAsObject();
  const llvm::json::Array* list = object ? object->getArray("findings") : nullptr;
  if (!list || object->getInteger("version") != 1) {
    return llvm::createStringError("not a placecheck baseline of version 1");
  }
  Baseline baseline;
  for (const llvm::json::Value& entry : *list) {
    const llvm::json::Object* row = entry.getAsObject();
    const auto fingerprint = row ? row->getString("fingerprint") : std::nullopt;
    if (!fingerprint) return llvm::createStringError("a baseline entry has no fingerprint");
    const auto text = [&](llvm::StringRef key) { return row->getString(key).value_or("").str(); };
    baseline.entries_.push_back({fingerprint->str(), text("rule"), text("file"), text("message")});
    baseline.known_.insert(*fingerprint);
  }
  return baseline;
}

std::size_t Baseline::shrink(const Report& report, const std::set<std::string>& checked,
                             SourceCache& sources) {
  llvm::StringSet<> found;
  for (const std::string& print : fingerprints(report, sources)) found.insert(print);
  std::set<std::string> shown;
  for (const std::string& file : checked) shown.insert(relative_path(file, report.root));
  return std::erase_if(entries_, [&](const Entry& entry) {
    return shown.count(entry.file) != 0 && !found.contains(entry.fingerprint);
  });
}

void Baseline::write(llvm::raw_ostream& out) const {
  llvm::json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", 1);
    json.attributeArray("findings", [&] {
      for (const Entry& entry : entries_) {
        json.object([&] {
          json.attribute("fingerprint", clean_text(entry.fingerprint));
          json.attribute("rule", clean_text(entry.rule));
          json.attribute("file", clean_text(entry.file));
          json.attribute("message", clean_text(entry.message));
        });
      }
    });
  });
  out << '\n';
}

llvm::Expected<Baseline> Baseline::read_file(llvm::StringRef path) {
  auto buffer = files::read_regular_file(path, files::kMaxDatabase);
  if (!buffer) {
    std::string why = files::why_unreadable(buffer.getError(), files::kMaxDatabase);
    return llvm::createStringError("cannot read baseline '" + path + "': " + why);
  }
  return parse((*buffer)->getBuffer());
}

void write_baseline(const Report& report, SourceCache& sources, llvm::raw_ostream& out) {
  Baseline(report, sources).write(out);
}

void apply_baseline(const Baseline& baseline, Report& report, SourceCache& sources) {
  const std::vector<std::string> prints = fingerprints(report, sources);
  std::vector<Finding> remaining;
  for (std::size_t i = 0; i < prints.size(); ++i) {
    if (baseline.contains(prints[i])) {
      ++report.baselined;
    } else {
      remaining.push_back(std::move(report.findings[i]));
    }
  }
  report.findings = std::move(remaining);
}

}  // namespace placecheck::findings
