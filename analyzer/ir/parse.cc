#include "analyzer/ir/parse.h"

#include <algorithm>
#include <limits>

#include "analyzer/ir/opcode_table.h"
#include "analyzer/ir/token_reader.h"

namespace placecheck::ir {
namespace {

// Recursive descent. Every method returns false once something did not fit.
class Parser : private TokenReader {
 public:
  using TokenReader::TokenReader;

  ParseResult run();

 private:
  bool type(Type& out, uint32_t depth = 1);
  bool literal(Literal& out);
  bool numeric_literal(Literal& out, bool negative);
  bool call(Call& out);
  bool argument(Argument& out);
  bool closure(Instruction& out);
  bool operands(Instruction& out);
  bool instruction(Instruction& out);

  bool file();
  bool global();
  bool class_of();
  bool field(Class& out);
  bool method(Class& out);
  bool function();
  bool function_head(Function& out);
  bool parameter(Parameter& out);
  bool slot(Function& out);
  bool block(Function& out);

  ParseResult result_;
};

bool Parser::type(Type& out, uint32_t depth) {
  if (depth > kMaxTypeDepth) return fail("types nested less deeply");
  size_t kind = 0;
  if (!choice(kTypeWords, kind, "a type")) return false;
  out.kind = static_cast<TypeKind>(kind);
  if (token().kind == TokenKind::kString && !string(out.name, "a name")) return false;
  if (!accept_mark('<')) return true;
  do {
    if (!type(out.arguments.emplace_back(), depth + 1)) return false;
  } while (accept_mark(','));
  return expect_mark('>');
}

bool Parser::numeric_literal(Literal& out, bool negative) {
  std::string text = (negative ? "-" : "") + std::string(token().text);
  bool is_real = text.find_first_of(".e") != std::string::npos;
  int64_t integer = 0;
  double real = 0;
  if (!is_real && read_number(text, integer)) {
    out = integer;
  } else if (is_real && read_number(text, real)) {
    out = real;
  } else {
    return fail("a number that fits in 64 bits");
  }
  advance();
  return true;
}

bool Parser::literal(Literal& out) {
  if (token().kind == TokenKind::kString) return string(out.emplace<std::string>(), "a string");
  bool negative = accept_mark('-');
  if (token().kind == TokenKind::kNumber) return numeric_literal(out, negative);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (accept_word("inf")) {
    out = negative ? -kInfinity : kInfinity;
    return true;
  }
  if (negative) return fail("a number");
  if (accept_word("device")) return string(out.emplace<DeviceLiteral>().text, "a device");
  if (accept_word("none")) {
    out = None();
  } else if (accept_word("true")) {
    out = true;
  } else if (accept_word("false")) {
    out = false;
  } else if (accept_word("nan")) {
    out = std::numeric_limits<double>::quiet_NaN();
  } else {
    return fail("a literal");
  }
  return true;
}

bool Parser::argument(Argument& out) {
  if (token().kind != TokenKind::kRegister) {
    if (!name(out.name, "an argument") || !expect_mark(':')) return false;
  }
  if (!reg(out.value)) return false;
  out.copied = accept_word("copied");
  out.fetched = accept_word("fetched");
  return range(out.range);
}

bool Parser::call(Call& out) {
  size_t kind = 0;
  if (!choice(kCallWords, kind, "'direct', 'method', 'construct' or 'indirect'")) return false;
  out.kind = static_cast<CallKind>(kind);
  if (!string(out.name, "the name of what is called, as a string")) return false;
  if (accept_word("key") && !string(out.key, "a key")) return false;
  if (!expect_mark('(')) return false;
  if (!is_mark(')')) {
    do {
      if (!argument(out.arguments.emplace_back())) return false;
    } while (accept_mark(','));
  }
  if (!expect_mark(')')) return false;
  if (token().kind == TokenKind::kArrow) {
    advance();
    if (!type(out.type)) return false;
  }
  out.discarded = accept_word("discarded");
  out.caught = accept_word("caught");
  return true;
}

bool Parser::closure(Instruction& out) {
  if (!string(out.symbol, "the key of a function") || !expect_mark('(')) return false;
  if (!is_mark(')')) {
    do {
      if (!reg(out.operands.emplace_back())) return false;
    } while (accept_mark(','));
  }
  return expect_mark(')');
}

bool Parser::operands(Instruction& out) {
  const OpcodeRow& row = row_of(out.opcode);
  bool is_first = true;
  auto separated = [&] {
    bool needs_comma = !is_first;
    is_first = false;
    return !needs_comma || expect_mark(',');
  };
  if (row.symbol == SymbolRule::kSlot) {
    if (!separated() || !name(out.symbol, "a slot")) return false;
  }
  uint32_t count = row.min_operands;
  // `return` may stand alone; what follows on the next line is another instruction.
  if (row.max_operands > count && token().kind == TokenKind::kRegister && !on_new_line()) ++count;
  for (uint32_t i = 0; i < count; ++i) {
    if (!separated() || !reg(out.operands.emplace_back())) return false;
  }
  if (row.symbol == SymbolRule::kField) {
    if (!separated() || !string(out.symbol, "the name of a field, as a string")) return false;
  }
  for (uint32_t i = 0; i < row.targets; ++i) {
    if (!separated() || !target(out.targets.emplace_back())) return false;
  }
  return true;
}

bool Parser::instruction(Instruction& out) {
  if (token().kind == TokenKind::kRegister) {
    if (!reg(out.result) || !expect_mark('=')) return false;
  }
  const auto* row =
      std::find_if(kOpcodeTable.begin(), kOpcodeTable.end(),
                   [&](const OpcodeRow& candidate) { return is_word(candidate.word); });
  if (row == kOpcodeTable.end()) return fail("an instruction");
  out.opcode = row->opcode;
  advance();
  bool is_read = false;
  switch (out.opcode) {
    case Opcode::kConst:
      is_read = literal(out.literal);
      break;
    case Opcode::kCall:
      is_read = call(out.call);
      break;
    case Opcode::kClosure:
      is_read = closure(out);
      break;
    default:
      is_read = operands(out);
  }
  if (!is_read) return false;
  out.loop = accept_word("loop");
  out.taken = accept_word("taken");
  return range(out.range);
}

bool Parser::block(Function& out) {
  uint32_t index = 0;
  size_t next = out.blocks.size();
  if (!is_word("bb" + std::to_string(next))) {
    return fail("'bb" + std::to_string(next) + ":' or '}'");
  }
  if (!target(index) || !expect_mark(':')) return false;
  Block& block = out.blocks.emplace_back();
  while (!is_mark('}') && !(token().kind == TokenKind::kWord && token().text.starts_with("bb"))) {
    if (!instruction(block.instructions.emplace_back())) return false;
  }
  return true;
}

bool Parser::slot(Function& out) {
  Slot& slot = out.slots.emplace_back();
  return name(slot.name, "the name of a slot") && expect_mark(':') && type(slot.type) &&
         range(slot.range);
}

bool Parser::parameter(Parameter& out) {
  if (!name(out.name, "a parameter") || !expect_mark(':') || !type(out.type)) return false;
  out.by_reference = accept_word("ref");
  if (accept_word("default") && !string(out.default_function, "the key of a function")) {
    return false;
  }
  return range(out.range);
}

bool Parser::function_head(Function& out) {
  size_t kind = 0;
  if (!string(out.name, "the name of the function, as a string") || !expect_word("key") ||
      !string(out.key, "a key") || !choice(kFunctionWords, kind, "the kind of the function")) {
    return false;
  }
  out.kind = static_cast<FunctionKind>(kind);
  if (accept_word("class") && !string(out.class_key, "the key of a class")) return false;
  if (accept_word("captures") && !number(out.captures, "the number of captures")) return false;
  out.is_entry = accept_word("entry");
  out.is_exported = !accept_word("internal");
  out.is_partial = accept_word("partial");
  return true;
}

bool Parser::function() {
  Function& function = result_.unit.functions.emplace_back();
  if (!function_head(function) || !expect_mark('(')) return false;
  if (!is_mark(')')) {
    do {
      if (!parameter(function.parameters.emplace_back())) return false;
    } while (accept_mark(','));
  }
  if (!expect_mark(')') || !expect_arrow() || !type(function.result) || !range(function.range) ||
      !expect_mark('{')) {
    return false;
  }
  while (accept_word("slot")) {
    if (!slot(function)) return false;
  }
  while (!accept_mark('}')) {
    if (!block(function)) return false;
  }
  return true;
}

bool Parser::field(Class& out) {
  Field& field = out.fields.emplace_back();
  return name(field.name, "the name of a field") && expect_mark(':') && type(field.type) &&
         range(field.range);
}

bool Parser::method(Class& out) {
  Method& method = out.methods.emplace_back();
  if (!name(method.name, "the name of a method") || !expect_word("key") ||
      !string(method.key, "a key") || !expect_word("arity") ||
      !number(method.arity, "the number of parameters") || !expect_word("required") ||
      !number(method.required, "the number of required parameters")) {
    return false;
  }
  method.is_constructor = accept_word("constructor");
  return true;
}

bool Parser::class_of() {
  Class& out = result_.unit.classes.emplace_back();
  if (!string(out.name, "the name of the class, as a string") || !expect_word("key") ||
      !string(out.key, "a key")) {
    return false;
  }
  out.is_module = accept_word("module");
  if (accept_mark(':')) {
    do {
      if (!type(out.bases.emplace_back())) return false;
    } while (accept_mark(','));
  }
  if (!range(out.range) || !expect_mark('{')) return false;
  while (!accept_mark('}')) {
    if (accept_word("field") ? !field(out) : !(expect_word("method") && method(out))) return false;
  }
  return true;
}

bool Parser::global() {
  Global& global = result_.unit.globals.emplace_back();
  if (!name(global.slot, "a slot") || !expect_word("name") || !string(global.name, "a name") ||
      !expect_mark(':') || !type(global.type)) {
    return false;
  }
  if (accept_word("initializer") && !string(global.initializer, "the key of a function")) {
    return false;
  }
  return range(global.range);
}

bool Parser::file() { return string(result_.unit.files.emplace_back(), "the path of a file"); }

ParseResult Parser::run() {
  bool is_good = true;
  while (is_good && token().kind != TokenKind::kEnd) {
    if (accept_word("file")) {
      is_good = file();
    } else if (accept_word("class")) {
      is_good = class_of();
    } else if (accept_word("global")) {
      is_good = global();
    } else if (accept_word("func")) {
      is_good = function();
    } else {
      is_good = fail("'file', 'class', 'global' or 'func'");
    }
  }
  result_.error = take_error();
  return std::move(result_);
}

}  // namespace

ParseResult parse(std::string_view text) { return Parser(text).run(); }

}  // namespace placecheck::ir
