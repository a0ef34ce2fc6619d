// Documents that a program writes as a text of its own: `json.loads("{...}")`.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "llvm/Support/JSON.h"

namespace placecheck::dataflow {
namespace {

constexpr uint32_t kFirstOrdinal = 1100;  // of the lists and tables of a document
constexpr std::ptrdiff_t kMostLists = 200;

// Makes the values of one document.
class Document {
 public:
  Document(CallContext& context, const std::string& text) : context_(context), text_(text) {}

  Value value_of(const llvm::json::Value& given) {
    if (given.getAsNull()) return Value::none();
    if (const auto truth = given.getAsBoolean()) return Value::boolean(*truth);
    if (const auto text = given.getAsString()) return Value::string(context_.name(text->str()));
    if (const auto whole = given.getAsInteger()) return Value::integer(*whole);
    if (const llvm::json::Array* array = given.getAsArray()) return list_of(*array);
    if (const llvm::json::Object* object = given.getAsObject()) return table_of(*object);
    return Value::symbol(context_.name(kSomeFloat));
  }

 private:
  Value list_of(const llvm::json::Array& array) {
    const uint32_t ordinal = next_++;
    std::vector<Value> elements;
    for (const llvm::json::Value& each : array) elements.push_back(value_of(each));
    return make_list(context_, std::move(elements), ObjectKind::kContainer, ordinal);
  }

  Value table_of(const llvm::json::Object& object) {
    Object table;
    table.kind = ObjectKind::kContainer;
    table.is_map = true;
    const uint32_t ordinal = next_++;
    // The parser does not keep the order of the keys: they are put in that of their first places in
    // the text.
    std::map<std::pair<size_t, std::string>, const llvm::json::Value*> entries;
    for (const auto& [key, held] : object) {
      const std::string quoted = '"' + key.str() + '"';
      entries.emplace(std::pair(text_.find(quoted), key.str()), &held);
    }
    for (const auto& [place, held] : entries)
      append(table, value_of(*held), Value::string(context_.name(place.second)));
    return context_.make(std::move(table), ordinal);
  }

  CallContext& context_;
  const std::string& text_;
  uint32_t next_ = kFirstOrdinal;
};

}  // namespace

std::optional<Value> parsed_json(CallContext& context, const std::string& name,
                                 const Given& given) {
  if (name != "json.loads" || given.size() == 0) return std::nullopt;
  const std::optional<std::string> text = context.text(given.values[0]);
  const auto opens_list = [](char each) { return each == '[' || each == '{'; };
  if (!text || std::ranges::count_if(*text, opens_list) > kMostLists) return std::nullopt;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(*text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  return Document(context, *text).value_of(*parsed);
}

}  // namespace placecheck::dataflow
