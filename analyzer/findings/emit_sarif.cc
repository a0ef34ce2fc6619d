#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analyzer/findings/baseline.h"
#include "analyzer/findings/emitters.h"
#include "analyzer/findings/json_text.h"
#include "analyzer/findings/suppression.h"
#include "analyzer/findings/utf16.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "rules/catalog.h"
#include "rules/docs.h"

namespace placecheck::findings {
namespace {

constexpr llvm::StringRef kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr llvm::StringRef kRootId = "SRCROOT";

// The rules in the order in which results refer to them by index.
std::vector<const rules::Rule*> all_rows() {
  std::vector<const rules::Rule*> rows;
  for (const rules::Rule& row : rules::catalog()) rows.push_back(&row);
  for (const rules::Rule& row : kSuppressionRules) rows.push_back(&row);
  return rows;
}

llvm::StringRef level_of(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::kError:
      return "error";
    case rules::Severity::kWarning:
      return "warning";
    case rules::Severity::kAdvice:
      return "note";
  }
  return "warning";
}

// Everything but what RFC 3986 lets stand in a path is written as %XX.
std::string percent_encoded(llvm::StringRef path) {
  std::string result;
  for (char c : path) {
    if (llvm::isAlnum(c) || llvm::StringRef("/-._~").contains(c)) {
      result += c;
    } else {
      result += '%' + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
    }
  }
  return result;
}

class SarifWriter {
 public:
  SarifWriter(const Report& report, const SarifOptions& options, SourceCache& sources,
              llvm::raw_ostream& out)
      : report_(report), options_(options), sources_(sources), json_(out, /*IndentSize=*/2) {}

  void write() {
    json_.object([&] {
      json_.attribute("$schema", kSchema);
      json_.attribute("version", "2.1.0");
      json_.attributeArray("runs", [&] { json_.object([&] { write_run(); }); });
    });
  }

 private:
  void write_run() {
    json_.attributeObject("tool",
                          [&] { json_.attributeObject("driver", [&] { write_driver(); }); });
    json_.attribute("columnKind", "utf16CodeUnits");
    if (!report_.root.empty()) {
      json_.attributeObject("originalUriBaseIds", [&] {
        json_.attributeObject(kRootId, [&] {
          json_.attribute("uri", "file://" + percent_encoded(report_.root) +
                                     (llvm::StringRef(report_.root).ends_with("/") ? "" : "/"));
        });
      });
    }
    json_.attributeArray("invocations", [&] { json_.object([&] { write_invocation(); }); });
    const std::vector<std::string> prints = fingerprints(report_, sources_);
    json_.attributeArray("results", [&] {
      for (std::size_t i = 0; i < prints.size(); ++i) {
        json_.object([&] { write_result(report_.findings[i], prints[i]); });
      }
    });
  }

  void write_driver() {
    json_.attribute("name", "placecheck");
    if (!options_.version.empty()) json_.attribute("version", clean_text(options_.version));
    json_.attributeArray("rules", [&] {
      for (const rules::Rule* row : rows_) json_.object([&] { write_rule(*row); });
    });
  }

  void write_rule(const rules::Rule& row) {
    const std::string id(row.id);
    const std::string_view page = rules::page(row.id);
    json_.attribute("id", id);
    write_text("shortDescription", row.summary);
    json_.attributeObject("help", [&] {
      json_.attribute("text", clean_text(page.empty() ? row.summary : page));
      if (!page.empty()) json_.attribute("markdown", clean_text(page));
    });
    if (!options_.help_base.empty() && !page.empty()) {
      json_.attribute("helpUri", clean_text(options_.help_base + id + ".md"));
    }
    json_.attributeObject("defaultConfiguration",
                          [&] { json_.attribute("level", level_of(row.severity)); });
    json_.attributeObject("properties", [&] {
      json_.attributeArray("tags",
                           [&] { json_.value(llvm::StringRef(rules::name(row.category))); });
    });
  }

  // What kept files from being fully checked belongs to the run, not to the results.
  void write_invocation() {
    json_.attribute("executionSuccessful", true);
    json_.attributeArray("toolExecutionNotifications", [&] {
      for (const FileReport& file : report_.files) {
        if (file.status == Understanding::kFully) continue;
        json_.object([&] {
          json_.attribute("level", file.status == Understanding::kNot ? "error" : "warning");
          write_text("message", describe(file));
          json_.attributeArray("locations", [&] {
            json_.object([&] { write_physical_location({.file = file.path}); });
          });
        });
      }
    });
  }

  void write_result(const Finding& finding, const std::string& print) {
    const rules::Rule* row = find_row(finding.rule);
    const auto index = std::ranges::find(rows_, row) - rows_.begin();
    json_.attribute("ruleId", clean_text(finding.rule));
    if (row) json_.attribute("ruleIndex", index);
    json_.attribute("level", level_of(severity_of(report_, finding)));
    write_text("message", full_message(finding));
    json_.attributeArray("locations",
                         [&] { json_.object([&] { write_physical_location(finding.range); }); });
    write_related(finding);
    write_code_flow(finding);
    write_fixes(finding);
    json_.attributeObject("partialFingerprints", [&] { json_.attribute("placecheck/v1", print); });
    write_properties(finding);
  }

  void write_properties(const Finding& finding) {
    if (finding.program.empty() && finding.scenarios.empty()) return;
    json_.attributeObject("properties", [&] {
      if (!finding.program.empty())
        json_.attribute("program", clean_text(relative_path(finding.program, report_.root)));
      if (finding.scenarios.empty()) return;
      json_.attributeArray("scenarios", [&] {
        for (const std::string& each : finding.scenarios) json_.value(clean_text(each));
      });
    });
  }

  static std::string full_message(const Finding& finding) {
    std::string text = finding.message;
    if (!finding.scenarios.empty()) text += "\nonly with: " + scenario_text(finding);
    if (!finding.predicted_error.empty()) text += "\nat run time: " + finding.predicted_error;
    if (!finding.fix.empty()) text += "\nfix: " + finding.fix;
    return text;
  }

  void write_related(const Finding& finding) {
    if (finding.notes.empty()) return;
    json_.attributeArray("relatedLocations", [&] {
      for (std::size_t i = 0; i < finding.notes.size(); ++i) {
        json_.object([&] {
          json_.attribute("id", static_cast<std::int64_t>(i + 1));
          write_physical_location(finding.notes[i].range);
          write_text("message", finding.notes[i].message);
        });
      }
    });
  }

  // The way to the finding: its notes are in the order of the path.
  void write_code_flow(const Finding& finding) {
    if (finding.notes.empty()) return;
    const auto write_step = [&](const SourceRange& range, const std::string& message) {
      json_.object([&] {
        json_.attributeObject("location", [&] {
          write_physical_location(range);
          write_text("message", message);
        });
      });
    };
    const auto write_steps = [&] {
      for (const Note& note : finding.notes) write_step(note.range, note.message);
      write_step(finding.range, finding.message);
    };
    json_.attributeArray("codeFlows", [&] {
      json_.object([&] {
        json_.attributeArray("threadFlows", [&] {
          json_.object([&] { json_.attributeArray("locations", write_steps); });
        });
      });
    });
  }

  void write_fixes(const Finding& finding) {
    if (finding.fix_its.empty()) return;
    std::map<std::string, std::vector<const FixIt*>> by_file;
    for (const FixIt& fix_it : finding.fix_its) by_file[fix_it.range.file].push_back(&fix_it);
    json_.attributeArray("fixes", [&] {
      json_.object([&] {
        if (!finding.fix.empty()) write_text("description", finding.fix);
        json_.attributeArray("artifactChanges", [&] {
          for (const auto& [file, fix_its] : by_file) {
            json_.object([&] { write_change(file, fix_its); });
          }
        });
      });
    });
  }

  void write_change(const std::string& file, const std::vector<const FixIt*>& fix_its) {
    write_artifact(file);
    json_.attributeArray("replacements", [&] {
      for (const FixIt* fix_it : fix_its) {
        json_.object([&] {
          SourceRange deleted = fix_it->range;
          if (deleted.end_line == 0) {  // an insertion, not a whole line
            deleted.end_line = deleted.line;
            deleted.end_column = deleted.column;
          }
          write_region("deletedRegion", deleted);
          write_text("insertedContent", fix_it->replacement);
        });
      }
    });
  }

  void write_text(llvm::StringRef key, llvm::StringRef text) {
    json_.attributeObject(key, [&] { json_.attribute("text", clean_text(text)); });
  }

  void write_physical_location(const SourceRange& range) {
    json_.attributeObject("physicalLocation", [&] {
      write_artifact(range.file);
      if (range.line > 0) write_region("region", range);
    });
  }

  void write_artifact(const std::string& file) {
    const std::string path = relative_path(file, report_.root);
    const bool absolute = llvm::sys::path::is_absolute(path);
    json_.attributeObject("artifactLocation", [&] {
      json_.attribute("uri", (absolute ? "file://" : "") + percent_encoded(path));
      if (!absolute && !report_.root.empty()) json_.attribute("uriBaseId", kRootId);
    });
  }

  void write_region(llvm::StringRef key, const SourceRange& range) {
    json_.attributeObject(key, [&] {
      json_.attribute("startLine", range.line);
      json_.attribute("startColumn", utf16_column(range.file, range.line, range.column));
      if (range.end_line == 0) return;
      json_.attribute("endLine", range.end_line);
      json_.attribute("endColumn", utf16_column(range.file, range.end_line, range.end_column));
    });
  }

  // SARIF viewers count UTF-16 units, findings count bytes.
  unsigned utf16_column(const std::string& file, unsigned line, unsigned column) {
    const llvm::StringRef text = sources_.line(file, line);
    const std::size_t bytes = std::max(column, 1u) - 1;
    const std::size_t beyond = bytes > text.size() ? bytes - text.size() : 0;
    return static_cast<unsigned>(utf16_units(text.take_front(bytes)) + beyond + 1);
  }

  const Report& report_;
  const SarifOptions& options_;
  SourceCache& sources_;
  llvm::json::OStream json_;
  const std::vector<const rules::Rule*> rows_ = all_rows();
};

}  // namespace

void emit_sarif(const Report& report, const SarifOptions& options, SourceCache& sources,
                llvm::raw_ostream& out) {
  SarifWriter(report, options, sources, out).write();
  out << '\n';
}

}  // namespace placecheck::findings
