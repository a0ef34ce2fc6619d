// Options of the command line, as argparse declares them.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/symbols.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kParser = "ArgumentParser";
constexpr std::string_view kDefaultOf = "the default of";

// Where the text is kept that an option is when nobody gives it.
Name default_slot(Name option, Names& names) { return names.term(kDefaultOf, {option}); }

// "--local-rank" is `local_rank`.
std::string name_of_option(std::string_view flag) {
  flag.remove_prefix(std::min(flag.find_first_not_of('-'), flag.size()));
  std::string name(flag);
  std::ranges::replace(name, '-', '_');
  return name;
}

// "cuda", "cuda:1" and what is meant so; not the CPU, with which everything fits.
bool names_accelerator(CallContext& context, const Value& value) {
  if (value.is(ValueKind::kDevice)) return !value.place.is_cpu();
  const std::string text = context.text(value).value_or("");
  return text.starts_with("cuda") || text.starts_with("gpu");
}

bool lists_numbers(CallContext& context, const Value& value) {
  const Object* list = context.state.object_of(value);
  return list && is_list(*list) && !list->open && !list->elements.empty() &&
         std::ranges::all_of(list->elements,
                             [](const Value& each) { return each.is(ValueKind::kInt); });
}

// `--gpu` with the default 1, or `--gpu-ids` with "1,0"; a number below zero stands for none.
bool numbers_device(CallContext& context, std::string_view option, const Value& value) {
  constexpr std::string_view kDevices[] = {"card", "cuda", "device", "gpu"};
  constexpr std::string_view kCounts[] = {"count", "local_rank", "n_",  "ngpu",
                                          "num",   "per",        "size"};
  const auto has = [&](std::string_view part) {
    return option.find(part) != std::string_view::npos;
  };
  if (std::ranges::none_of(kDevices, has) || std::ranges::any_of(kCounts, has)) return false;
  if (value.is(ValueKind::kInt)) return value.number >= 0;
  const std::string text = context.text(value).value_or("");
  return !text.empty() && text.find_first_not_of("0123456789,") == std::string::npos;
}

// What the program is started with behind one of these flags; nothing where it is not given, or not
// as one value.
std::optional<std::string> given_value(const CommandLine& line,
                                       const std::vector<std::string>& flags) {
  const std::vector<std::string>& words = line.arguments;
  std::optional<std::string> found;
  for (size_t i = 0; i < words.size(); ++i) {
    for (const std::string& flag : flags) {
      if (words[i].starts_with(flag + "=")) found = words[i].substr(flag.size() + 1);
      const bool has_value = i + 1 < words.size() && !words[i + 1].starts_with("-");
      if (words[i] == flag && has_value) found = words[i + 1];
    }
  }
  return found;
}

// A value of the command line as the parser converts it.
Value parsed_value(CallContext& context, const Given& given, const std::string& text) {
  const std::optional<size_t> type = given.named("type");
  if (given.named("nargs") || given.named("action")) return unknown_scalar(context);
  if (!type) return Value::string(context.name(text));
  const std::optional<std::string> name = library_name(context, given.values[*type]);
  if (name == "builtins.str") return Value::string(context.name(text));
  const bool is_number =
      !text.empty() && text.size() < 9 && text.find_first_not_of("0123456789") == std::string::npos;
  if (name == "builtins.int" && is_number) return Value::integer(std::stoll(text));
  return unknown_scalar(context);
}

// A default as the parser hands it out: a text is converted, everything else is not.
Value converted_default(CallContext& context, const Given& given, const Value& value) {
  const std::optional<size_t> type = given.named("type");
  if (!type || !value.is(ValueKind::kString) || given.named("nargs")) return value;
  const Value converter = context.state.read(given.values[*type]);
  if (const std::optional<std::string> name = library_name(context, converter)) {
    const bool is_converted = *name == "builtins.int" || *name == "builtins.float";
    return is_converted ? parsed_value(context, given, context.text(value).value_or("")) : value;
  }
  Given text;
  text.add(value, {}, Given::kMade);
  Exits exits = call_value(context, converter, text);
  if (exits.size() != 1) return unknown_scalar(context);
  context.state = std::move(exits.front().state);
  return exits.front().value;
}

// What an option is when the program starts; nothing where nobody knows.
std::optional<Value> value_at_start(CallContext& context, const Given& given,
                                    const std::vector<std::string>& flags) {
  const std::optional<CommandLine>& line = context.activation.command_line();
  if (line && !line->is_known) return std::nullopt;
  if (line) {
    if (std::optional<std::string> text = given_value(*line, flags))
      return parsed_value(context, given, *text);
  }
  const std::optional<size_t> value = given.named("default");
  if (!value) return std::nullopt;
  return converted_default(context, given, context.state.read(given.values[*value]));
}

bool may_be_given(const std::optional<CommandLine>& line, const std::vector<std::string>& flags) {
  if (!line) return false;
  return !line->is_known || std::ranges::any_of(line->arguments, [&](const std::string& word) {
    return std::ranges::find(flags, word.substr(0, word.find('='))) != flags.end();
  });
}

// What an option is where nobody gives it and it has no default; nothing for one that has to be
// given.
std::optional<Value> value_if_missing(CallContext& context, const Given& given,
                                      const std::vector<std::string>& flags) {
  const auto text_of = [&](std::string_view name) {
    const std::optional<size_t> at = given.named(name);
    return at ? context.text(given.values[*at]).value_or("") : "";
  };
  const std::optional<size_t> required = given.named("required");
  const bool is_required = required && truth(given.values[*required]) != false;
  const bool has_flag = !flags.empty() && flags[0].starts_with("-");
  if (!has_flag || is_required || given.is_open) return std::nullopt;
  if (may_be_given(context.activation.command_line(), flags)) return std::nullopt;
  const std::string action = text_of("action");
  if (action == "store_true") return Value::boolean(false);
  if (action == "store_false") return Value::boolean(true);
  return Value::none();
}

// A second declaration of the option may have another default.
void note_default(CallContext& context, Name option, const Value& text) {
  const Name slot = default_slot(option, context.activation.names());
  const Value* noted = context.state.find_global(slot);
  context.state.set_global(slot, noted && !same(*noted, text) ? Value::unknown() : text);
}

// An option that names a device, or lists some, is what it is when nobody gives it; in a run with
// defaults, so is each.
void keep_defaults(CallContext& context, std::string_view method, const Given& given) {
  const ObjectId parser = context.state.object_id_of(given.values[0]);
  const bool has_defaults = context.state.find_global(context.name(kHasDefaults)) != nullptr;
  auto keep = [&](const std::string& name, const Value& value) {
    const bool is_kept = has_defaults || names_accelerator(context, value) ||
                         lists_numbers(context, value) || numbers_device(context, name, value);
    const Object& object = context.state.object(parser);
    if (is_kept)
      context.state.edit(parser).set(context.name(name), value);
    else if (object.find(context.name(name)))
      context.state.edit(parser).set(context.name(name), unknown_scalar(context));
    else if (value.is(ValueKind::kString) && object.symbol != 0)
      note_default(context,
                   library_member_identity(object.symbol, name, context.activation.names()), value);
  };
  if (method == "set_defaults") {
    for (size_t i = 1; i < given.size(); ++i) {
      if (!given.names[i].empty()) keep(given.names[i], given.values[i]);
    }
    return;
  }
  std::string name;
  std::vector<std::string> flags;
  for (size_t i : given.without(1).positional()) {
    const std::string flag = context.text(given.values[i + 1]).value_or("");
    flags.push_back(flag);
    // The first of the long ones, or else the first.
    if (name.empty() || (flag.starts_with("--") && name.size() == 1)) name = name_of_option(flag);
  }
  if (std::optional<size_t> dest = given.named("dest"))
    name = context.text(given.values[*dest]).value_or("");
  std::optional<Value> value = value_at_start(context, given, flags);
  if (!value && has_defaults) value = value_if_missing(context, given, flags);
  if (value && !name.empty()) keep(name, *value);
}

// `ArgumentParser(parents=[common])` has the options of those as well.
void add_options_of_parents(CallContext& context, const Given& given, Object& parser) {
  const std::optional<size_t> at = given.named("parents");
  const Object* parents = at ? context.state.object_of(given.values[*at]) : nullptr;
  if (!parents || !is_list(*parents) || parents->open) return;
  for (const Value& each : parents->elements) {
    const Object* parent = context.state.object_of(each);
    if (!parent || parent->kind != ObjectKind::kLibrary) continue;
    for (const auto& [option, value] : parent->fields) parser.set(option, value);
  }
}

// `parse_args(["--gpu", "1"])`: not what the program is started with.
bool has_own_arguments(CallContext& context, const Given& given) {
  const std::optional<size_t> at = given.find("args", 1);
  const Object* list = at ? context.state.object_of(given.values[*at]) : nullptr;
  return list && is_list(*list) && !list->elements.empty();
}

// The program has chosen them all, so that either answer to a question about one may be wrong.
Value with_lost_options(CallContext& context, const Value& parser) {
  Object options = *context.state.object_of(parser);
  options.fields.clear();
  options.symbol = lost_identity(options.symbol, context.activation.names());
  return context.make(std::move(options), 927);
}

}  // namespace

std::optional<Value> assume_default(CallContext& context, const Value& option) {
  if (!option.is(ValueKind::kSymbol) && !option.is_opaque()) return std::nullopt;
  Names& names = context.activation.names();
  const Value* noted = context.state.find_global(default_slot(option.name, names));
  if (!noted || !noted->is(ValueKind::kString)) return std::nullopt;
  const Value text = *noted;
  const bool may_be = assume_equal(context.state, option.name, text, names).has_value();
  return may_be ? std::optional(text) : std::nullopt;
}

std::optional<Value> make_argument_parser(CallContext& context, std::string_view name,
                                          const Given& given) {
  const bool is_namespace = name == "argparse.Namespace";
  if (!name.ends_with(kParser) && !is_namespace) return std::nullopt;
  Object parser = context.library_object(name);
  add_options_of_parents(context, given, parser);
  parser.complete = false;
  parser.symbol = context.name(is_namespace ? "namespace" : "args");
  return context.make(std::move(parser));
}

std::optional<Value> argument_parser_method(CallContext& context, std::string_view name,
                                            const Given& given) {
  const Value self = given.values[0];
  const Object* parser = context.state.object_of(self);
  const bool is_parser = parser && parser->kind == ObjectKind::kLibrary &&
                         context.activation.names().text(parser->type_name).ends_with(kParser);
  if (!is_parser) return std::nullopt;
  const bool parses = name.starts_with("parse_");
  const Value parsed =
      parses && has_own_arguments(context, given) ? with_lost_options(context, self) : self;
  if (name == "parse_known_args")
    return make_list(context, {parsed, Value::unknown()}, ObjectKind::kTuple);
  const bool adds_group = name.starts_with("add_") && name != "add_argument";
  if (name == "add_argument" || name == "set_defaults") keep_defaults(context, name, given);
  return parses || adds_group ? parsed : Value::none();
}

}  // namespace placecheck::dataflow
