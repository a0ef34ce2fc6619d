// Documents that a program writes as a text of its own: `json.loads("{...}")`.
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "llvm/Support/JSON.h"

namespace placecheck::dataflow {
namespace {

constexpr uint32_t kFirstOrdinal = 1100;  // of the lists and tables of a document
constexpr uint32_t kMostLists = 200;

// Makes the values of one document.
class Document {
 public:
  explicit Document(CallContext& context) : context_(context) {}

  Value value_of(const llvm::json::Value& given) {
    if (given.getAsNull()) return Value::none();
    if (const auto truth = given.getAsBoolean()) return Value::boolean(*truth);
    if (const auto text = given.getAsString()) return Value::string(context_.name(text->str()));
    if (const auto whole = given.getAsInteger()) return Value::integer(*whole);
    if (const llvm::json::Array* array = given.getAsArray()) return list_of(*array);
    if (const llvm::json::Object* object = given.getAsObject()) return table_of(*object);
    return Value::symbol(context_.name(kSomeFloat));
  }

  bool is_too_large() const { return made_ > kMostLists; }

 private:
  Value list_of(const llvm::json::Array& array) {
    const uint32_t ordinal = next();
    std::vector<Value> elements;
    for (const llvm::json::Value& each : array) {
      if (is_too_large()) return Value::unknown();
      elements.push_back(value_of(each));
    }
    return make_list(context_, std::move(elements), ObjectKind::kContainer, ordinal);
  }

  Value table_of(const llvm::json::Object& object) {
    Object table;
    table.kind = ObjectKind::kContainer;
    table.is_map = true;
    const uint32_t ordinal = next();
    for (const auto& [key, held] : object) {
      if (is_too_large()) return Value::unknown();
      append(table, value_of(held), Value::string(context_.name(key.str())));
    }
    return context_.make(std::move(table), ordinal);
  }

  uint32_t next() { return kFirstOrdinal + made_++; }

  CallContext& context_;
  uint32_t made_ = 0;
};

}  // namespace

std::optional<Value> parsed_json(CallContext& context, const std::string& name,
                                 const Given& given) {
  if (name != "json.loads" || given.size() == 0) return std::nullopt;
  const std::optional<std::string> text = context.text(given.values[0]);
  if (!text) return std::nullopt;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(*text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  Document document(context);
  const Value made = document.value_of(*parsed);
  return document.is_too_large() ? std::nullopt : std::optional(made);
}

}  // namespace placecheck::dataflow
