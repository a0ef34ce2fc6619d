#include "analyzer/findings/emitters.h"
#include "analyzer/findings/json_text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::findings {
namespace {

using llvm::json::OStream;

void write_range(OStream& json, const SourceRange& range, const std::string& root) {
  json.attribute("file", clean_text(relative_path(range.file, root)));
  json.attribute("line", range.line);
  json.attribute("column", range.column);
  if (range.end_line == 0) return;
  json.attribute("end_line", range.end_line);
  json.attribute("end_column", range.end_column);
}

void write_finding(OStream& json, const Finding& finding, const Report& report) {
  const std::string& root = report.root;
  json.attribute("rule", clean_text(finding.rule));
  json.attribute("severity", llvm::StringRef(rules::name(severity_of(report, finding))));
  write_range(json, finding.range, root);
  json.attribute("message", clean_text(finding.message));
  json.attribute("predicted_error", clean_text(finding.predicted_error));
  json.attribute("fix", clean_text(finding.fix));
  json.attribute("program", clean_text(relative_path(finding.program, root)));
  if (!finding.scenarios.empty()) {
    json.attributeArray("scenarios", [&] {
      for (const std::string& each : finding.scenarios) json.value(clean_text(each));
    });
  }
  json.attributeArray("notes", [&] {
    for (const Note& note : finding.notes) {
      json.object([&] {
        write_range(json, note.range, root);
        json.attribute("message", clean_text(note.message));
      });
    }
  });
  json.attributeArray("fix_its", [&] {
    for (const FixIt& fix_it : finding.fix_its) {
      json.object([&] {
        write_range(json, fix_it.range, root);
        json.attribute("replacement", clean_text(fix_it.replacement));
      });
    }
  });
}

llvm::StringRef status_name(Understanding status) {
  switch (status) {
    case Understanding::kFully:
      return "understood";
    case Understanding::kPartly:
      return "partly";
    case Understanding::kNot:
      return "not";
  }
  return "not";
}

void write_file(OStream& json, const FileReport& file, const std::string& root) {
  json.attribute("path", clean_text(relative_path(file.path, root)));
  json.attribute("status", status_name(file.status));
  json.attribute("errors", file.errors);
  json.attribute("first_error", clean_text(file.first_error));
  if (file.left_out.empty()) return;
  json.attributeArray("left_out", [&] {
    for (const std::string& each : file.left_out) json.value(clean_text(each));
  });
}

void write_summary(OStream& json, const Report& report) {
  const Totals sum = totals(report);
  const auto count = [&](llvm::StringRef key, std::size_t value) {
    json.attribute(key, static_cast<std::int64_t>(value));
  };
  count("findings", sum.findings);
  count("files", sum.files);
  count("understood", sum.fully);
  count("partly", sum.partly);
  count("not_understood", sum.not_understood);
  count("functions_left_out", sum.left_out);
  count("programs_too_large", report.too_large.size());
  count("suppressed", report.suppressed);
  count("baselined", report.baselined);
  count("unchanged", report.unchanged);
  count("operations", sum.operations);
  count("known_operations", sum.known_operations);
  count("exported_functions", report.extensions.exported_functions);
  count("launches", report.extensions.launches);
  count("reached_launches", report.extensions.reached_launches);
}

void write_coverage(OStream& json, const Report& report) {
  json.attributeArray("files", [&] {
    for (const FileCoverage& file : report.coverage) {
      json.object([&] {
        json.attribute("path", clean_text(relative_path(file.path, report.root)));
        json.attribute("operations", static_cast<std::int64_t>(file.operations));
        json.attribute("known_operations", static_cast<std::int64_t>(file.understood));
      });
    }
  });
  json.attributeArray("unmodelled_calls", [&] {
    for (const UnmodelledCall& call : report.unmodelled) {
      json.object([&] {
        json.attribute("name", clean_text(call.name));
        json.attribute("count", static_cast<std::int64_t>(call.count));
      });
    }
  });
  json.attributeArray("unreached_launches", [&] {
    for (const FilePosition& each : report.extensions.unreached) {
      json.object([&] {
        json.attribute("file", clean_text(relative_path(each.path, report.root)));
        json.attribute("line", each.line);
      });
    }
  });
}

}  // namespace

void emit_json(const Report& report, llvm::raw_ostream& out) {
  OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", 1);
    json.attributeArray("findings", [&] {
      for (const Finding& finding : report.findings) {
        json.object([&] { write_finding(json, finding, report); });
      }
    });
    json.attributeArray("files", [&] {
      for (const FileReport& file : report.files) {
        json.object([&] { write_file(json, file, report.root); });
      }
    });
    json.attributeArray("too_large", [&] {
      for (const std::string& each : report.too_large)
        json.value(clean_text(relative_path(each, report.root)));
    });
    json.attributeArray("functions_too_large", [&] {
      for (const LargeFunction& each : report.large_functions) {
        json.object([&] {
          json.attribute("name", clean_text(each.name));
          json.attribute("file", clean_text(relative_path(each.path, report.root)));
          json.attribute("line", each.line);
        });
      }
    });
    json.attributeObject("coverage", [&] { write_coverage(json, report); });
    json.attributeObject("summary", [&] { write_summary(json, report); });
  });
  out << '\n';
}

}  // namespace placecheck::findings
