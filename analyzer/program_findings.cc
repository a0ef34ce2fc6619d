#include "analyzer/program_findings.h"

#include "analyzer/cache/fields.h"

namespace placecheck {
namespace {

using cache::FieldReader;
using cache::FieldWriter;
using findings::Finding;
using findings::FixIt;
using findings::Note;
using findings::SourceRange;

void write(FieldWriter& out, const SourceRange& range) {
  out.text(range.file);
  for (unsigned each : {range.line, range.column, range.end_line, range.end_column})
    out.number(each);
}

SourceRange read_range(FieldReader& in) {
  SourceRange range;
  range.file = in.text().str();
  for (unsigned* each : {&range.line, &range.column, &range.end_line, &range.end_column})
    *each = static_cast<unsigned>(in.number());
  return range;
}

void write(FieldWriter& out, const Finding& finding) {
  out.text(finding.rule);
  write(out, finding.range);
  out.text(finding.message);
  out.number(finding.notes.size());
  for (const Note& note : finding.notes) {
    write(out, note.range);
    out.text(note.message);
  }
  out.text(finding.predicted_error);
  out.text(finding.fix);
  out.number(finding.fix_its.size());
  for (const FixIt& fix_it : finding.fix_its) {
    write(out, fix_it.range);
    out.text(fix_it.replacement);
  }
  out.text(finding.program);
  out.texts(finding.scenarios);
  out.number(finding.severity ? static_cast<uint64_t>(*finding.severity) + 1 : 0);
}

Finding read_finding(FieldReader& in) {
  Finding finding;
  finding.rule = in.text().str();
  finding.range = read_range(in);
  finding.message = in.text().str();
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
    SourceRange range = read_range(in);
    finding.notes.push_back({std::move(range), in.text().str()});
  }
  finding.predicted_error = in.text().str();
  finding.fix = in.text().str();
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
    SourceRange range = read_range(in);
    finding.fix_its.push_back({std::move(range), in.text().str()});
  }
  finding.program = in.text().str();
  in.texts(finding.scenarios);
  if (const uint64_t severity = in.number(); severity != 0)
    finding.severity = static_cast<rules::Severity>(severity - 1);
  return finding;
}

void write(FieldWriter& out, const dataflow::HoldsAt& facts) {
  out.number(facts.size());
  for (const auto& [file, sites] : facts) {
    out.text(file);
    out.number(sites.size());
    for (const auto& [position, holds] : sites) {
      out.number(position.first);
      out.number(position.second);
      out.number(holds);
    }
  }
}

dataflow::HoldsAt read_facts(FieldReader& in) {
  dataflow::HoldsAt facts;
  for (uint64_t files = in.number(); in.ok() && files > 0; --files) {
    auto& sites = facts[in.text().str()];
    for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
      auto line = static_cast<uint32_t>(in.number());
      auto column = static_cast<uint32_t>(in.number());
      sites[{line, column}] = in.number() != 0;
    }
  }
  return facts;
}

using Functions = std::set<std::tuple<std::string, uint32_t, std::string>>;

void write(FieldWriter& out, const Functions& functions) {
  out.number(functions.size());
  for (const auto& [file, line, name] : functions) {
    out.text(file);
    out.number(line);
    out.text(name);
  }
}

Functions read_functions(FieldReader& in) {
  Functions functions;
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
    std::string file = in.text().str();
    auto line = static_cast<uint32_t>(in.number());
    functions.emplace(std::move(file), line, in.text().str());
  }
  return functions;
}

void write(FieldWriter& out, const dataflow::Coverage& coverage) {
  write(out, coverage.operations);
  out.number(coverage.unmodelled.size());
  for (const auto& [name, count] : coverage.unmodelled) {
    out.text(name);
    out.number(count);
  }
  write(out, coverage.too_large);
  write(out, coverage.exported);
  write(out, coverage.launches);
}

dataflow::Coverage read_coverage(FieldReader& in) {
  dataflow::Coverage coverage;
  coverage.operations = read_facts(in);
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
    std::string name = in.text().str();
    coverage.unmodelled[std::move(name)] = in.number();
  }
  coverage.too_large = read_functions(in);
  coverage.exported = read_functions(in);
  coverage.launches = read_facts(in);
  return coverage;
}

void write(FieldWriter& out, const dataflow::PlaceTable& table) {
  out.number(table.places().size());
  for (const dataflow::DecidedPlace& place : table.places()) {
    out.number(static_cast<uint64_t>(place.place_class));
    out.number(static_cast<uint32_t>(place.index));
    out.text(place.place);
    out.text(place.how);
    out.text(place.file);
    out.number(place.line);
    out.number(place.column);
  }
  out.number(table.files().size());
  for (const auto& [file, expressions] : table.files()) {
    out.text(file);
    out.number(expressions.size());
    for (const auto& [span, expression] : expressions) {
      for (uint32_t each : {span.line, span.column, span.end_line, span.end_column})
        out.number(each);
      out.text(expression.what);
      out.number(expression.has_more);
      out.number(expression.places.size());
      for (uint32_t place : expression.places) out.number(place);
    }
  }
}

dataflow::DecidedPlace read_place(FieldReader& in) {
  dataflow::DecidedPlace place;
  place.place_class = static_cast<dataflow::PlaceClass>(in.number());
  place.index = static_cast<int32_t>(static_cast<uint32_t>(in.number()));
  place.place = in.text().str();
  place.how = in.text().str();
  place.file = in.text().str();
  place.line = static_cast<uint32_t>(in.number());
  place.column = static_cast<uint32_t>(in.number());
  return place;
}

void read_expression(FieldReader& in, const std::string& file, dataflow::PlaceTable& table) {
  dataflow::SourceSpan span;
  for (uint32_t* each : {&span.line, &span.column, &span.end_line, &span.end_column})
    *each = static_cast<uint32_t>(in.number());
  std::string what = in.text().str();
  if (in.number() != 0) table.mark_more(file, span);
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
    uint64_t place = in.number();
    if (place < table.places().size()) table.record(file, span, what, static_cast<uint32_t>(place));
  }
}

dataflow::PlaceTable read_places(FieldReader& in) {
  dataflow::PlaceTable table;
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) table.intern(read_place(in));
  for (uint64_t files = in.number(); in.ok() && files > 0; --files) {
    const std::string file = in.text().str();
    for (uint64_t count = in.number(); in.ok() && count > 0; --count)
      read_expression(in, file, table);
  }
  return table;
}

void write(FieldWriter& out, const ir::Range& range) {
  for (uint32_t each : {range.file, range.line, range.column, range.end_line, range.end_column})
    out.number(each);
}

ir::Range read_ir_range(FieldReader& in) {
  ir::Range range;
  for (uint32_t* each :
       {&range.file, &range.line, &range.column, &range.end_line, &range.end_column})
    *each = static_cast<uint32_t>(in.number());
  return range;
}

void write(FieldWriter& out, const dataflow::SavedValue& value) {
  out.number(static_cast<uint64_t>(value.kind));
  out.number(static_cast<uint64_t>(value.rank));
  out.number(static_cast<uint64_t>(value.place.kind));
  out.number(static_cast<uint32_t>(value.place.index));
  out.number(static_cast<uint64_t>(value.number));
  out.text(value.text);
  out.number(static_cast<uint64_t>(value.object));
  out.number(value.is_map);
  out.text(value.type_name);
  out.number(value.fields.size());
  for (const auto& [name, field] : value.fields) {
    out.text(name);
    write(out, field);
  }
  for (const auto* parts : {&value.keys, &value.elements}) {
    out.number(parts->size());
    for (const dataflow::SavedValue& part : *parts) write(out, part);
  }
}

// Values are no deeper than they were packed.
dataflow::SavedValue read_saved_value(FieldReader& in) {
  dataflow::SavedValue value;
  value.kind = static_cast<dataflow::ValueKind>(in.number());
  value.rank = static_cast<dataflow::Rank>(in.number());
  value.place.kind = static_cast<dataflow::PlaceKind>(in.number());
  value.place.index = static_cast<int32_t>(static_cast<uint32_t>(in.number()));
  value.number = static_cast<int64_t>(in.number());
  value.text = in.text().str();
  value.object = static_cast<dataflow::ObjectKind>(in.number());
  value.is_map = in.number() != 0;
  value.type_name = in.text().str();
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
    std::string name = in.text().str();
    value.fields.emplace_back(std::move(name), read_saved_value(in));
  }
  for (auto* parts : {&value.keys, &value.elements}) {
    for (uint64_t count = in.number(); in.ok() && count > 0; --count)
      parts->push_back(read_saved_value(in));
  }
  return value;
}

void write(FieldWriter& out, const dataflow::FileTraffic& files) {
  out.number(files.saved.size());
  for (const auto& [path, file] : files.saved) {
    out.text(path);
    write(out, file.record);
    out.number(file.unit);
    write(out, file.range);
  }
  out.texts(files.unclear);
  out.texts(files.sought);
}

dataflow::FileTraffic read_files(FieldReader& in) {
  dataflow::FileTraffic files;
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
    dataflow::SavedFile& file = files.saved[in.text().str()];
    file.record = read_saved_value(in);
    file.unit = in.number();
    file.range = read_ir_range(in);
  }
  in.texts(files.unclear);
  in.texts(files.sought);
  return files;
}

}  // namespace

std::string bytes_of(const SolvedProgram& solved) {
  FieldWriter out;
  out.number(solved.findings.size());
  for (const Finding& finding : solved.findings) write(out, finding);
  write(out, solved.coverage);
  write(out, solved.places);
  write(out, solved.files);
  out.text(solved.trace);
  return out.bytes();
}

std::string bytes_of(const dataflow::SavedValue& value) {
  FieldWriter out;
  write(out, value);
  return out.bytes();
}

std::optional<SolvedProgram> solved_from(llvm::StringRef bytes) {
  FieldReader in(bytes);
  SolvedProgram solved;
  for (uint64_t count = in.number(); in.ok() && count > 0; --count)
    solved.findings.push_back(read_finding(in));
  solved.coverage = read_coverage(in);
  solved.places = read_places(in);
  solved.files = read_files(in);
  solved.trace = in.text().str();
  if (!in.ok()) return std::nullopt;
  return solved;
}

}  // namespace placecheck
