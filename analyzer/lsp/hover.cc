#include "analyzer/lsp/hover.h"

#include <string>
#include <utility>

#include "analyzer/findings/json_text.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

namespace placecheck::lsp {
namespace {

namespace json = llvm::json;

using dataflow::DecidedPlace;
using dataflow::PlacedExpression;
using dataflow::PlaceTable;
using dataflow::SourceSpan;

// Names of the program are text, whatever they hold.
std::string escaped(llvm::StringRef text, const View& view) {
  if (!view.takes_markdown) return text.str();
  std::string result;
  for (char c : text) {
    if (llvm::StringRef("\\`*_[]<>").contains(c)) result += '\\';
    result += c;
  }
  return result;
}

std::string bold(llvm::StringRef text, const View& view) {
  return view.takes_markdown ? "**" + escaped(text, view) + "**" : text.str();
}

std::string link_to(const DecidedPlace& place, const View& view) {
  const std::string shown =
      llvm::sys::path::filename(place.file).str() + ":" + std::to_string(place.line);
  if (!view.takes_markdown) return shown;
  return "[" + escaped(shown, view) + "](" + uri_of(place.file, view) + "#L" +
         std::to_string(place.line) + ")";
}

// "moved to cuda:0, train.cc:22"
std::string reason_of(const DecidedPlace& place, const View& view) {
  std::string text = escaped(place.how, view);
  if (place.line != 0) text += (text.empty() ? "" : ", ") + link_to(place, view);
  return text;
}

std::string text_of(const PlacedExpression& expression, const PlaceTable& places,
                    const View& view) {
  std::string text = escaped(expression.what, view);
  if (expression.places.size() == 1) {
    const DecidedPlace& only = places.places()[expression.places[0]];
    text += (text.empty() ? "on " : " on ") + bold(only.place, view);
    const std::string reason = reason_of(only, view);
    if (!reason.empty()) text += (view.takes_markdown ? "\n\n" : "\n") + reason;
    return findings::clean_text(text);
  }
  text += text.empty() ? "on one of" : " on one of";
  for (uint32_t index : expression.places) {
    const DecidedPlace& each = places.places()[index];
    const std::string reason = reason_of(each, view);
    text += "\n- " + bold(each.place, view) + (reason.empty() ? "" : ": " + reason);
  }
  if (expression.has_more) text += "\n- and others";
  return findings::clean_text(text);
}

}  // namespace

json::Value hover_at(const Document& document, const llvm::lsp::Position& position,
                     const PlaceTable& places, findings::SourceCache& sources, const View& view) {
  const auto line = static_cast<uint32_t>(position.line + 1);
  const size_t before = bytes_before(sources.line(document.path, line),
                                     static_cast<size_t>(position.character), view.encoding);
  // The compiler may have come to the file by more than one name.
  for (const auto& [file, expressions] : places.files()) {
    SourceSpan span;
    const PlacedExpression* found = places.at(file, line, static_cast<uint32_t>(before + 1), &span);
    if (!found || found->places.empty()) continue;
    const findings::SourceRange range{document.path, span.line, span.column, span.end_line,
                                      span.end_column};
    return json::Object{
        {"contents", json::Object{{"kind", view.takes_markdown ? "markdown" : "plaintext"},
                                  {"value", text_of(*found, places, view)}}},
        {"range", toJSON(range_of(range, sources, view.encoding))},
    };
  }
  return nullptr;
}

}  // namespace placecheck::lsp
