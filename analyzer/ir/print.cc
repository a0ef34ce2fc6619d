#include "analyzer/ir/print.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "analyzer/ir/lexer.h"
#include "analyzer/ir/opcode_table.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck::ir {
namespace {

// A run of printing over one stream; each method writes one construct.
class Printer {
 public:
  Printer(llvm::raw_ostream& out, PrintOptions options) : out_(out), options_(options) {}

  void unit(const Unit& unit);
  void function(const Function& function);
  void class_of(const Class& class_);
  void global(const Global& global);
  void instruction(const Instruction& instruction);
  void type(const Type& type);
  void literal(const Literal& literal);

 private:
  void quoted(std::string_view text);
  void word_or_quoted(std::string_view text);
  void range(const Range& range);
  void reg(Register value);
  void number(double value);
  void parameter(const Parameter& parameter);
  void attributes(const Function& function);
  void operands(const Instruction& instruction);
  void call(const Call& call);
  void closure(const Instruction& instruction);

  llvm::raw_ostream& out_;
  PrintOptions options_;
};

void Printer::quoted(std::string_view text) {
  bool is_utf8 = llvm::json::isUTF8(llvm::StringRef(text));
  out_ << '"';
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ << '\\' << c;
    } else if (c == '\n') {
      out_ << "\\n";
    } else if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !is_utf8)) {
      constexpr char kDigits[] = "0123456789abcdef";
      out_ << "\\x" << kDigits[byte >> 4] << kDigits[byte & 15];
    } else {
      out_ << c;
    }
  }
  out_ << '"';
}

void Printer::word_or_quoted(std::string_view text) {
  if (is_word(text)) {
    out_ << text;
  } else {
    quoted(text);
  }
}

void Printer::range(const Range& range) {
  if (!options_.ranges || !range.valid()) return;
  out_ << " !" << range.file << ':' << range.line << ':' << range.column << '-' << range.end_line
       << ':' << range.end_column;
}

void Printer::reg(Register value) {
  if (value == kNoRegister) {
    out_ << "%_";
  } else {
    out_ << '%' << value;
  }
}

void Printer::type(const Type& type) {
  out_ << kTypeWords[static_cast<size_t>(type.kind)];
  if (!type.name.empty()) {
    out_ << ' ';
    quoted(type.name);
  }
  if (type.arguments.empty()) return;
  const char* separator = "<";
  for (const Type& argument : type.arguments) {
    out_ << separator;
    this->type(argument);
    separator = ", ";
  }
  out_ << '>';
}

void Printer::number(double value) {
  if (std::isnan(value)) {
    out_ << "nan";
    return;
  }
  if (std::isinf(value)) {
    out_ << (value < 0 ? "-inf" : "inf");
    return;
  }
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  std::string_view text(buffer, static_cast<size_t>(end - buffer));
  out_ << text;
  // Without a point or an exponent it would read back as an integer.
  if (text.find_first_of(".e") == std::string_view::npos) out_ << ".0";
}

void Printer::literal(const Literal& literal) {
  if (std::holds_alternative<None>(literal)) {
    out_ << "none";
  } else if (const auto* truth = std::get_if<bool>(&literal)) {
    out_ << (*truth ? "true" : "false");
  } else if (const auto* integer = std::get_if<int64_t>(&literal)) {
    out_ << *integer;
  } else if (const auto* real = std::get_if<double>(&literal)) {
    number(*real);
  } else if (const auto* text = std::get_if<std::string>(&literal)) {
    quoted(*text);
  } else {
    out_ << "device ";
    quoted(std::get<DeviceLiteral>(literal).text);
  }
}

void Printer::call(const Call& call) {
  out_ << ' ' << kCallWords[static_cast<size_t>(call.kind)] << ' ';
  quoted(call.name);
  if (!call.key.empty()) {
    out_ << " key ";
    quoted(call.key);
    out_ << ' ';
  }
  out_ << '(';
  const char* separator = "";
  for (const Argument& argument : call.arguments) {
    out_ << separator;
    if (!argument.name.empty()) {
      word_or_quoted(argument.name);
      out_ << ": ";
    }
    reg(argument.value);
    if (argument.copied) out_ << " copied";
    if (argument.fetched) out_ << " fetched";
    range(argument.range);
    separator = ", ";
  }
  out_ << ')';
  if (call.type != Type()) {
    out_ << " -> ";
    type(call.type);
  }
  if (call.discarded) out_ << " discarded";
  if (call.caught) out_ << " caught";
}

void Printer::closure(const Instruction& instruction) {
  out_ << ' ';
  quoted(instruction.symbol);
  out_ << '(';
  const char* separator = "";
  for (Register operand : instruction.operands) {
    out_ << separator;
    reg(operand);
    separator = ", ";
  }
  out_ << ')';
}

void Printer::operands(const Instruction& instruction) {
  SymbolRule symbol = row_of(instruction.opcode).symbol;
  const char* separator = " ";
  if (symbol == SymbolRule::kSlot) {
    out_ << separator;
    word_or_quoted(instruction.symbol);
    separator = ", ";
  }
  for (Register operand : instruction.operands) {
    out_ << separator;
    reg(operand);
    separator = ", ";
  }
  if (symbol == SymbolRule::kField) {
    out_ << separator;
    quoted(instruction.symbol);
  }
  for (uint32_t target : instruction.targets) {
    out_ << separator << "bb" << target;
    separator = ", ";
  }
}

void Printer::instruction(const Instruction& instruction) {
  if (instruction.result != kNoRegister) {
    reg(instruction.result);
    out_ << " = ";
  }
  out_ << row_of(instruction.opcode).word;
  if (instruction.opcode == Opcode::kConst) {
    out_ << ' ';
    literal(instruction.literal);
  } else if (instruction.opcode == Opcode::kCall) {
    call(instruction.call);
  } else if (instruction.opcode == Opcode::kClosure) {
    closure(instruction);
  } else {
    operands(instruction);
  }
  if (instruction.loop) out_ << " loop";
  if (instruction.taken) out_ << " taken";
  range(instruction.range);
}

void Printer::parameter(const Parameter& parameter) {
  word_or_quoted(parameter.name);
  out_ << ": ";
  type(parameter.type);
  if (parameter.by_reference) out_ << " ref";
  if (!parameter.default_function.empty()) {
    out_ << " default ";
    quoted(parameter.default_function);
  }
  range(parameter.range);
}

void Printer::attributes(const Function& function) {
  out_ << ' ' << kFunctionWords[static_cast<size_t>(function.kind)];
  if (!function.class_key.empty()) {
    out_ << " class ";
    quoted(function.class_key);
  }
  if (function.captures != 0) out_ << " captures " << function.captures;
  if (function.is_entry) out_ << " entry";
  if (!function.is_exported) out_ << " internal";
  if (function.is_partial) out_ << " partial";
}

void Printer::function(const Function& function) {
  out_ << "func ";
  quoted(function.name);
  out_ << " key ";
  quoted(function.key);
  attributes(function);
  out_ << " (";
  const char* separator = "";
  for (const Parameter& each : function.parameters) {
    out_ << separator;
    parameter(each);
    separator = ", ";
  }
  out_ << ") -> ";
  type(function.result);
  range(function.range);
  out_ << " {\n";
  for (const Slot& slot : function.slots) {
    out_ << "  slot ";
    word_or_quoted(slot.name);
    out_ << ": ";
    type(slot.type);
    range(slot.range);
    out_ << '\n';
  }
  for (size_t i = 0; i < function.blocks.size(); ++i) {
    out_ << "bb" << i << ":\n";
    for (const Instruction& each : function.blocks[i].instructions) {
      out_ << "  ";
      instruction(each);
      out_ << '\n';
    }
  }
  out_ << "}\n";
}

void Printer::class_of(const Class& class_) {
  out_ << "class ";
  quoted(class_.name);
  out_ << " key ";
  quoted(class_.key);
  if (class_.is_module) out_ << " module";
  const char* separator = " : ";
  for (const Type& base : class_.bases) {
    out_ << separator;
    type(base);
    separator = ", ";
  }
  range(class_.range);
  out_ << " {\n";
  for (const Field& field : class_.fields) {
    out_ << "  field ";
    word_or_quoted(field.name);
    out_ << ": ";
    type(field.type);
    range(field.range);
    out_ << '\n';
  }
  for (const Method& method : class_.methods) {
    out_ << "  method ";
    word_or_quoted(method.name);
    out_ << " key ";
    quoted(method.key);
    out_ << " arity " << method.arity << " required " << method.required;
    if (method.is_constructor) out_ << " constructor";
    out_ << '\n';
  }
  out_ << "}\n";
}

void Printer::global(const Global& global) {
  out_ << "global ";
  word_or_quoted(global.slot);
  out_ << " name ";
  quoted(global.name);
  out_ << " : ";
  type(global.type);
  if (!global.initializer.empty()) {
    out_ << " initializer ";
    quoted(global.initializer);
  }
  range(global.range);
  out_ << '\n';
}

void Printer::unit(const Unit& unit) {
  for (const std::string& file : unit.files) {
    out_ << "file ";
    quoted(file);
    out_ << '\n';
  }
  for (const Class& each : unit.classes) class_of(each);
  for (const Global& each : unit.globals) global(each);
  for (const Function& each : unit.functions) function(each);
}

template <typename Write>
std::string collected(Write write) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out);
  return text;
}

}  // namespace

void print(llvm::raw_ostream& out, const Unit& unit, PrintOptions options) {
  Printer(out, options).unit(unit);
}

void print(llvm::raw_ostream& out, const Function& function, PrintOptions options) {
  Printer(out, options).function(function);
}

void print(llvm::raw_ostream& out, const Class& class_, PrintOptions options) {
  Printer(out, options).class_of(class_);
}

void print(llvm::raw_ostream& out, const Instruction& instruction, PrintOptions options) {
  Printer(out, options).instruction(instruction);
}

std::string to_string(const Unit& unit, PrintOptions options) {
  return collected([&](llvm::raw_ostream& out) { print(out, unit, options); });
}

std::string to_string(const Function& function, PrintOptions options) {
  return collected([&](llvm::raw_ostream& out) { print(out, function, options); });
}

std::string to_string(const Instruction& instruction, PrintOptions options) {
  return collected([&](llvm::raw_ostream& out) { print(out, instruction, options); });
}

std::string to_string(const Type& type) {
  return collected([&](llvm::raw_ostream& out) { Printer(out, {}).type(type); });
}

std::string to_string(const Literal& literal) {
  return collected([&](llvm::raw_ostream& out) { Printer(out, {}).literal(literal); });
}

}  // namespace placecheck::ir
