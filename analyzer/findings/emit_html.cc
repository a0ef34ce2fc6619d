#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/findings/emitters.h"
#include "analyzer/findings/html/page.h"
#include "analyzer/findings/html/source_text.h"
#include "analyzer/findings/json_text.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "rules/docs.h"

namespace placecheck::findings {
namespace {

using dataflow::DecidedPlace;
using dataflow::PlaceClass;
using dataflow::PlacedExpression;
using dataflow::SourceSpan;
using llvm::json::OStream;

llvm::StringRef class_name(PlaceClass place_class) {
  switch (place_class) {
    case PlaceClass::kCpu:
      return "cpu";
    case PlaceClass::kCuda:
      return "cuda";
    case PlaceClass::kSymbolic:
      return "symbolic";
    case PlaceClass::kUnknown:
      return "unknown";
    case PlaceClass::kUnfollowed:
      break;
  }
  return "unfollowed";
}

// In an element of data, nothing but "</script" and "<!--" means anything to a browser; in JSON,
// '<' stands in strings alone.
std::string without_markup(llvm::StringRef json) {
  std::string text;
  text.reserve(json.size());
  for (char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string escaped(llvm::StringRef text) {
  std::string safe;
  for (char c : clean_text(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

// As a Content-Security-Policy names what may run: this text and no other.
std::string hash_source(llvm::StringRef text) {
  llvm::SHA256 hash;
  hash.update(text);
  return "'sha256-" + llvm::encodeBase64(hash.final()) + "'";
}

// The files of a report, by what is known of each.
struct File {
  std::string path;  // as the report names it
  const FileReport* report = nullptr;
  const FileCoverage* coverage = nullptr;
  std::size_t findings = 0;
};

class HtmlWriter {
 public:
  HtmlWriter(const Report& report, const HtmlOptions& options, SourceCache& sources,
             llvm::raw_ostream& out)
      : report_(report), options_(options), sources_(sources), out_(out) {
    collect_files();
  }

  void write() {
    const std::map<std::string_view, std::function<void()>> parts = {
        {"title", [&] { out_ << escaped("placecheck: " + title()); }},
        {"policy", [&] { write_policy(); }},
        {"version", [&] { out_ << escaped(options_.version); }},
        {"style", [&] { out_ << html::style(); }},
        {"script", [&] { out_ << html::script(); }},
        {"findings", [&] { write_plain_findings(); }},
        {"data", [&] { write_data(); }},
    };
    html::fill_page([&](std::string_view text) { out_ << text; },
                    [&](std::string_view part) {
                      if (auto found = parts.find(part); found != parts.end()) found->second();
                    });
  }

 private:
  // Those that were read, and those that something is said of.
  void collect_files() {
    for (const FileReport& file : report_.files) file_of(file.path).report = &file;
    for (const FileCoverage& file : report_.coverage) file_of(file.path).coverage = &file;
    for (const auto& [path, expressions] : report_.places.files()) file_of(path);
    for (const Finding& finding : report_.findings) {
      ++file_of(finding.range.file).findings;
      for (const Note& note : finding.notes) file_of(note.range.file);
    }
    std::size_t index = 0;
    for (auto& [path, file] : files_) indices_[path] = index++;
  }

  File& file_of(const std::string& path) {
    File& file = files_[path];
    file.path = path;
    return file;
  }

  std::string title() const {
    const std::string line = summary_line(report_);
    return line.substr(0, line.find(';'));
  }

  void write_policy() {
    out_ << "default-src 'none'; script-src " << hash_source(html::script()) << "; style-src "
         << hash_source(html::style());
  }

  // For readers without scripts, and for text searches.
  void write_plain_findings() {
    for (const Finding& finding : report_.findings) {
      const std::string place = relative_path(finding.range.file, report_.root) + ":" +
                                std::to_string(finding.range.line);
      std::string text = place + ": " + finding.message + " [" + finding.rule + "]";
      if (!finding.scenarios.empty()) text += "; only with: " + scenario_text(finding);
      out_ << "<li>" << escaped(text) << "</li>\n";
    }
  }

  void write_data() {
    write_element("report", [&](OStream& json) { write_report(json); });
    for (const auto& [path, file] : files_) {
      if (!has_source(path)) continue;
      write_element("file-" + std::to_string(indices_.at(path)),
                    [&](OStream& json) { write_source(json, file); });
    }
  }

  void write_element(const std::string& id, const std::function<void(OStream&)>& write) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    OStream json(stream);
    json.object([&] { write(json); });
    out_ << "<script type=\"application/json\" id=\"" << id << "\">" << without_markup(text)
         << "</script>\n";
  }

  bool has_source(const std::string& path) { return !sources_.contents(path).empty(); }

  void write_report(OStream& json) {
    json.attribute("version", clean_text(options_.version));
    write_totals(json);
    json.attributeArray("rules", [&] { write_rules(json); });
    json.attributeArray("findings", [&] {
      for (const Finding& finding : report_.findings)
        json.object([&] { write_finding(json, finding); });
    });
    json.attributeArray("files", [&] {
      for (const auto& [path, file] : files_) json.object([&] { write_file(json, file); });
    });
    json.attributeArray("unmodelled", [&] {
      for (const UnmodelledCall& call : report_.unmodelled) {
        json.object([&] {
          json.attribute("name", clean_text(call.name));
          json.attribute("count", static_cast<int64_t>(call.count));
        });
      }
    });
    json.attributeArray("too_large", [&] {
      for (const std::string& name : report_.too_large)
        json.value(clean_text(relative_path(name, report_.root)));
    });
    json.attributeArray("large_functions", [&] {
      for (const LargeFunction& function : report_.large_functions) {
        json.object([&] {
          json.attribute("name", clean_text(function.name));
          json.attribute("path", clean_text(relative_path(function.path, report_.root)));
          json.attribute("line", function.line);
        });
      }
    });
  }

  void write_totals(OStream& json) {
    const Totals sum = totals(report_);
    json.attributeObject("totals", [&] {
      auto count = [&](llvm::StringRef key, std::size_t number) {
        json.attribute(key, static_cast<int64_t>(number));
      };
      count("findings", sum.findings);
      count("files", sum.files);
      count("understood", sum.fully);
      count("partly", sum.partly);
      count("not_understood", sum.not_understood);
      count("left_out", sum.left_out);
      count("operations", sum.operations);
      count("known", sum.known_operations);
      count("percent", known_percent(sum));
      count("suppressed", report_.suppressed);
      count("baselined", report_.baselined);
      count("unchanged", report_.unchanged);
    });
  }

  // Those that found something, with their pages.
  void write_rules(OStream& json) {
    std::map<std::string, std::size_t> counts;
    for (const Finding& finding : report_.findings) ++counts[finding.rule];
    for (const auto& [id, count] : counts) {
      const rules::Rule* row = find_row(id);
      json.object([&] {
        json.attribute("id", clean_text(id));
        json.attribute("count", static_cast<int64_t>(count));
        json.attribute("summary", row ? clean_text(row->summary) : "");
        json.attribute("page", clean_text(rules::page(id)));
      });
    }
  }

  void write_finding(OStream& json, const Finding& finding) {
    json.attribute("rule", clean_text(finding.rule));
    json.attribute("severity", llvm::StringRef(rules::name(severity_of(report_, finding))));
    write_range(json, finding.range);
    json.attribute("message", clean_text(finding.message));
    json.attribute("error", clean_text(finding.predicted_error));
    json.attribute("fix", clean_text(finding.fix));
    if (!finding.program.empty())
      json.attribute("program", clean_text(relative_path(finding.program, report_.root)));
    if (!finding.scenarios.empty()) json.attribute("scenarios", clean_text(scenario_text(finding)));
    json.attributeArray("notes", [&] {
      for (const Note& note : finding.notes) {
        json.object([&] {
          write_range(json, note.range);
          json.attribute("message", clean_text(note.message));
        });
      }
    });
  }

  // Columns in UTF-16 units from 0, as the page counts them.
  void write_range(OStream& json, const SourceRange& range) {
    json.attribute("file", static_cast<int64_t>(indices_.at(range.file)));
    json.attribute("line", range.line);
    json.attribute("start", units_before(range.file, range.line, range.column));
    if (range.end_line == 0) return;
    json.attribute("end_line", range.end_line);
    json.attribute("end", units_before(range.file, range.end_line, range.end_column));
  }

  unsigned units_before(const std::string& path, unsigned line, unsigned column) {
    return html::SourceLine(sources_.line(path, line)).units_before(column);
  }

  void write_file(OStream& json, const File& file) {
    json.attribute("path", clean_text(relative_path(file.path, report_.root)));
    json.attribute("source", has_source(file.path));
    json.attribute("findings", static_cast<int64_t>(file.findings));
    if (file.coverage) {
      json.attribute("operations", static_cast<int64_t>(file.coverage->operations));
      json.attribute("known", static_cast<int64_t>(file.coverage->understood));
    }
    if (!file.report) return;
    const std::string doubt = describe(*file.report);
    if (!doubt.empty()) json.attribute("doubt", clean_text(doubt));
    if (file.report->left_out.empty()) return;
    json.attributeArray("left_out", [&] {
      for (const std::string& each : file.report->left_out) json.value(clean_text(each));
    });
  }

  void write_source(OStream& json, const File& file) {
    std::vector<html::SourceLine> lines;
    const std::size_t count = sources_.line_count(file.path);
    lines.reserve(count);
    for (unsigned i = 1; i <= count; ++i) lines.emplace_back(sources_.line(file.path, i));
    std::string text;
    for (const html::SourceLine& line : lines) (text += line.text()) += '\n';
    json.attribute("text", text);
    write_expressions(json, file, lines);
    if (file.coverage) write_operations(json, *file.coverage, lines);
  }

  // Kinds are what several expressions may share: what they are, and their places.
  void write_expressions(OStream& json, const File& file,
                         const std::vector<html::SourceLine>& lines) {
    const auto found = report_.places.files().find(file.path);
    if (found == report_.places.files().end()) return;
    std::vector<SourceSpan> spans;
    using Kind = std::tuple<std::string, std::vector<std::uint32_t>, bool>;
    std::map<Kind, std::size_t> kind_indices;
    std::vector<const Kind*> kinds;
    std::vector<std::size_t> kind_of;
    for (const auto& [span, expression] : found->second) {
      if (expression.places.empty()) continue;
      Kind kind{expression.what, in_order(expression.places), expression.has_more};
      auto [at, is_new] = kind_indices.try_emplace(std::move(kind), kinds.size());
      if (is_new) kinds.push_back(&at->first);
      spans.push_back(span);
      kind_of.push_back(at->second);
    }
    std::map<std::uint32_t, std::size_t> used;  // of the table's places
    json.attributeArray("kinds", [&] {
      for (const Kind* kind : kinds) {
        json.object([&] {
          json.attribute("what", clean_text(std::get<0>(*kind)));
          if (std::get<2>(*kind)) json.attribute("more", true);
          json.attributeArray("places", [&] {
            for (std::uint32_t place : std::get<1>(*kind))
              json.value(static_cast<int64_t>(used.try_emplace(place, used.size()).first->second));
          });
        });
      }
    });
    json.attributeArray("expressions", [&] {
      for (std::size_t kind : kind_of) json.value(static_cast<int64_t>(kind));
    });
    json.attributeArray("places", [&] { write_places(json, used); });
    json.attributeArray("segments", [&] {
      for (const auto& line : html::segments_of(spans, lines)) {
        json.array([&] {
          for (const html::Segment& each : line) {
            json.value(each.start);
            json.value(each.end);
            json.value(static_cast<int64_t>(each.expression));
          }
        });
      }
    });
  }

  // The known ones first, as the page shows them.
  std::vector<std::uint32_t> in_order(std::vector<std::uint32_t> places) const {
    const std::vector<DecidedPlace>& all = report_.places.places();
    std::ranges::sort(places, [&](std::uint32_t a, std::uint32_t b) { return all[a] < all[b]; });
    return places;
  }

  void write_places(OStream& json, const std::map<std::uint32_t, std::size_t>& used) {
    std::vector<std::uint32_t> order(used.size());
    for (const auto& [place, position] : used) order[position] = place;
    for (std::uint32_t each : order) {
      const DecidedPlace& place = report_.places.places()[each];
      json.object([&] {
        json.attribute("class", class_name(place.place_class));
        if (place.place_class == PlaceClass::kCuda) json.attribute("index", place.index);
        json.attribute("place", clean_text(place.place));
        json.attribute("how", clean_text(place.how));
        if (place.line == 0) return;
        json.attribute("line", place.line);
        const auto file = indices_.find(place.file);
        if (file != indices_.end())
          json.attribute("file", static_cast<int64_t>(file->second));
        else
          json.attribute("path", clean_text(relative_path(place.file, report_.root)));
      });
    }
  }

  // Only those at which something is missing.
  void write_operations(OStream& json, const FileCoverage& coverage,
                        const std::vector<html::SourceLine>& lines) {
    json.attributeArray("unknown_operations", [&] {
      for (const auto& [line, column] : coverage.unknown) {
        if (line == 0 || line > lines.size()) continue;
        json.array([&] {
          json.value(line);
          json.value(lines[line - 1].units_before(column));
        });
      }
    });
  }

  const Report& report_;
  const HtmlOptions& options_;
  SourceCache& sources_;
  llvm::raw_ostream& out_;
  std::map<std::string, File> files_;
  std::map<std::string, std::size_t> indices_;
};

}  // namespace

void emit_html(const Report& report, const HtmlOptions& options, SourceCache& sources,
               llvm::raw_ostream& out) {
  HtmlWriter(report, options, sources, out).write();
}

}  // namespace placecheck::findings
