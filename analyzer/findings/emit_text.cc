#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "analyzer/files/notebook.h"
#include "analyzer/findings/emitters.h"
#include "analyzer/findings/printable.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::findings {
namespace {

constexpr std::size_t kWidestLine = 160;

using Color = llvm::raw_ostream::Colors;

class TextWriter {
 public:
  TextWriter(const Report& report, const TextOptions& options, SourceCache& sources,
             llvm::raw_ostream& out)
      : report_(report), root_(report.root), options_(options), sources_(sources), out_(out) {}

  void write(const Finding& finding) {
    write_place(finding.range);
    const llvm::StringRef level =
        rules::name(chosen_severity(report_, finding).value_or(rules::Severity::kWarning));
    colored(level.str() + ": ", level == "error" ? Color::RED : Color::MAGENTA);
    write_clean(finding.message);
    out_ << " [" << finding.rule << "]\n";
    write_source(finding.range);
    for (const Note& note : finding.notes) {
      write_place(note.range);
      colored("note: ", Color::CYAN);
      write_clean(note.message);
      out_ << '\n';
      write_source(note.range);
    }
    write_labelled("only with: ", scenario_text(finding));
    write_labelled("at run time: ", finding.predicted_error);
    write_labelled("fix: ", finding.fix);
  }

  void write_summary() {
    for (const FileReport& file : report_.files) {
      if (file.status == Understanding::kFully) continue;
      write_clean(relative_path(file.path, root_));
      out_ << ": ";
      write_clean(describe(file));
      out_ << '\n';
    }
    out_ << "placecheck: " << summary_line(report_) << '\n';
    if (std::string gap = gap_line(report_); !gap.empty()) {
      out_ << "placecheck: ";
      write_clean(gap);
      out_ << '\n';
    }
  }

 private:
  void write_clean(llvm::StringRef text) { out_ << printable_text(text); }

  void colored(llvm::StringRef text, Color color) {
    if (options_.color) out_.changeColor(color, /*Bold=*/true);
    out_ << text;
    if (options_.color) out_.resetColor();
  }

  void write_place(const SourceRange& range) {
    write_clean(relative_path(range.file, root_));
    if (range.line > 0) out_ << ':' << range.line << ':' << std::max(range.column, 1u);
    out_ << ": ";
  }

  // Several lines stay together by their indentation.
  void write_labelled(llvm::StringRef label, llvm::StringRef text) {
    if (text.empty()) return;
    out_ << "  ";
    colored(label, Color::GREEN);
    llvm::SmallVector<llvm::StringRef, 4> lines;
    text.split(lines, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i > 0) out_ << "    ";
      write_clean(lines[i]);
      out_ << '\n';
    }
  }

  // The line, and below it the caret. Long lines (generated code) are cut to what surrounds it.
  void write_source(const SourceRange& range) {
    const llvm::StringRef line = sources_.line(range.file, range.line);
    if (line.trim().empty() || range.column == 0 || range.column > line.size() + 1) return;
    const std::size_t caret = range.column - 1;
    const std::size_t first = caret > kWidestLine / 2 && line.size() > kWidestLine
                                  ? start_of_character(line, caret - kWidestLine / 2)
                                  : 0;
    const llvm::StringRef shown = line.slice(first, start_of_character(line, first + kWidestLine));
    write_clean(shown);
    out_ << '\n';
    write_blank(shown.take_front(caret - first));
    if (options_.color) out_.changeColor(Color::GREEN, /*Bold=*/true);
    out_ << '^' << std::string(underline(range, shown.substr(caret - first)), '~');
    if (options_.color) out_.resetColor();
    out_ << '\n';
    write_cell(range);
  }

  // Readers of a notebook see cells, not the lines of its file.
  void write_cell(const SourceRange& range) {
    if (!files::is_notebook(range.file)) return;
    const auto [known, is_new] = notebooks_.try_emplace(range.file);
    if (is_new) known->second = files::notebook_or_nothing(sources_.contents(range.file));
    const files::NotebookLine* line = known->second.find_line({range.line, range.column});
    if (line) out_ << "  in cell " << line->cell << ", line " << line->line_of_cell << '\n';
  }

  static bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

  static std::size_t start_of_character(llvm::StringRef line, std::size_t position) {
    while (position < line.size() && continues_character(line[position])) ++position;
    return std::min(position, line.size());
  }

  static std::size_t width(llvm::StringRef text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
  }

  // How many characters after the caret belong to the range, on this line.
  static std::size_t underline(const SourceRange& range, llvm::StringRef from_caret) {
    std::size_t bytes = 0;
    if (range.end_line > range.line) bytes = from_caret.size();
    if (range.end_line == range.line && range.end_column > range.column) {
      bytes = range.end_column - range.column;
    }
    const std::size_t characters = width(from_caret.take_front(bytes).rtrim());
    return characters > 1 ? characters - 1 : 0;
  }

  void write_blank(llvm::StringRef prefix) {
    for (char c : prefix) {
      if (!continues_character(c)) out_ << (c == '\t' ? '\t' : ' ');
    }
  }

  const Report& report_;
  const std::string& root_;
  const TextOptions& options_;
  SourceCache& sources_;
  llvm::raw_ostream& out_;
  std::map<std::string, files::Notebook> notebooks_;
};

}  // namespace

void emit_text(const Report& report, const TextOptions& options, SourceCache& sources,
               llvm::raw_ostream& out) {
  const bool colors_were_enabled = out.colors_enabled();
  if (options.color) out.enable_colors(true);
  TextWriter writer(report, options, sources, out);
  for (const Finding& finding : report.findings) writer.write(finding);
  if (options.summary) writer.write_summary();
  out.enable_colors(colors_were_enabled);
}

}  // namespace placecheck::findings
