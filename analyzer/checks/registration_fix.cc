#include "analyzer/checks/registration_fix.h"

#include <algorithm>
#include <optional>
#include <set>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::checks {
namespace {

using dataflow::Site;

// Where the member gets a value.
struct Write {
  Site whole;  // the assignment, or the initializer
  Site value;  // invalid where the value is not written
  const ir::Instruction* made = nullptr;
};

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string_view function_for(StateKind kind) {
  if (kind == StateKind::kParameter) return "register_parameter";
  return kind == StateKind::kBuffer ? "register_buffer" : "register_module";
}

bool is_registration(const ir::Call& call) {
  return bare_name(call).starts_with("register_") || bare_name(call) == "replace_module";
}

class Registration {
 public:
  Registration(const ir::Class& type, const ir::Field& field, StateKind kind,
               const dataflow::View& view, Reporter& reporter)
      : type_(type), field_(field), kind_(kind), reporter_(reporter) {
    unit_ = view.program.program().unit_of(type);
    // A function of a header is in the unit of each file that includes it.
    std::set<std::string_view> seen;
    for (const ir::Unit* unit : view.program.program().units) {
      for (const ir::Function& function : unit->functions) {
        if (function.class_key == type.key && seen.insert(function.key).second)
          look_through(*unit, function);
      }
    }
  }

  FixIts fix() {
    if (!unit_) return {};
    if (Reporter::is_python({unit_, type_.range})) return fix_in_python();
    if (kind_ == StateKind::kModules) return wrap_added();
    return kind_ == StateKind::kParameters ? FixIts{} : fix_in_cpp();
  }

 private:
  // --- What the class does with the member ---

  struct Place {
    const ir::Unit& unit;
    const ir::Function& function;
    const ir::Block& block;
  };

  void look_through(const ir::Unit& unit, const ir::Function& function) {
    if (function.kind == ir::FunctionKind::kConstructor)
      constructors_.push_back({&unit, function.range});
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& each : block.instructions) look_at({unit, function, block}, each);
  }

  bool is_member(const ir::Block& block, ir::Register address) const {
    const ir::Instruction* made = ir::find_definition(block, address);
    return made && made->opcode == ir::Opcode::kField && made->symbol == field_.name;
  }

  void look_at(const Place& at, const ir::Instruction& each) {
    if (each.opcode == ir::Opcode::kAssign && is_member(at.block, each.operands[0]))
      add_write(at, each.range, each.operands[1]);
    if (each.opcode != ir::Opcode::kCall) return;
    const auto& arguments = each.call.arguments;
    if (each.call.name == "object.set" && arguments.size() == 3 && is_own(at.block, arguments))
      add_write(at, each.range, arguments[2].value);
    const bool is_method = each.call.kind == ir::CallKind::kMethod && arguments.size() > 1;
    if (is_method && is_member(at.block, arguments[0].value))
      calls_.push_back({&at.unit, &at.function, &at.block, &each});
    if (is_registration(each.call) && arguments.size() > 1) note_name(at.block, each, arguments[1]);
  }

  // Of `self.x = value`: whether it is this member of the object itself.
  bool is_own(const ir::Block& block, const std::vector<ir::Argument>& arguments) const {
    const ir::Instruction* object = ir::find_definition(block, arguments[0].value);
    const ir::Instruction* name = ir::find_definition(block, arguments[1].value);
    const auto* text = name ? std::get_if<std::string>(&name->literal) : nullptr;
    return object && object->opcode == ir::Opcode::kLoad && object->symbol == "this" && text &&
           *text == field_.name;
  }

  void add_write(const Place& at, const ir::Range& range, ir::Register value) {
    const ir::Instruction* made = ir::find_definition(at.block, value);
    const bool is_nothing = made && made->opcode == ir::Opcode::kConst;
    if (is_nothing) return;
    Write write{{&at.unit, range}, {}, made};
    if (made && made->range.valid()) write.value = {&at.unit, made->range};
    if (made && made->opcode == ir::Opcode::kCall && is_registration(made->call)) {
      registered_.push_back(made);
      return;
    }
    writes_.push_back(write);
  }

  // The name under which the member is registered elsewhere, where it is.
  void note_name(const ir::Block& block, const ir::Instruction& call, const ir::Argument& name) {
    const ir::Instruction* made = ir::find_definition(block, name.value);
    if (const auto* text = made ? std::get_if<std::string>(&made->literal) : nullptr)
      names_.emplace_back(&call, *text);
  }

  // --- C++ ---

  bool is_assignment(const Write& write) const {
    const std::string whole = text_of(write.whole);
    llvm::StringRef text = whole;
    text.consume_front("this->");
    return text.consume_front(field_.name) && text.ltrim().starts_with("=") &&
           write.value.valid() && contains(write.whole.range, write.value.range);
  }

  FixIts fix_in_cpp() {
    std::vector<Write> assigned, initial;
    for (const Write& each : writes_) (is_assignment(each) ? assigned : initial).push_back(each);
    if (assigned.size() == 1) return wrap(assigned[0].value);
    if (!assigned.empty() || initial.size() > 1) return {};
    if (!initial.empty() && is_beside_declaration(initial[0])) return wrap_initializer(initial[0]);
    // A tensor that only a function fills is not there yet where a constructor begins.
    if (kind_ == StateKind::kBuffer && initial.empty()) return {};
    if (const std::optional<Site> constructor = only_constructor())
      return register_in(*constructor);
    return constructors_.size() <= 1 ? initialize() : FixIts{};
  }

  FixIts wrap(const Site& value) {
    std::string head = std::string(function_for(kind_)) + "(" + quoted(field_.name) + ", ";
    if (!registered_.empty()) {
      // Registered before, it is replaced under the same name.
      const auto name = std::ranges::find(names_, registered_[0], &Named::first);
      if (name == names_.end() || kind_ != StateKind::kModule) return {};
      head = "replace_module(" + quoted(name->second) + ", ";
    }
    return {insert_before(value, head), insert_behind(value, ")")};
  }

  bool is_beside_declaration(const Write& write) const {
    const ir::Range& range = write.whole.range;
    return range.file == field_.range.file && range.line == field_.range.end_line &&
           range.column >= field_.range.end_column;
  }

  FixIts wrap_initializer(const Write& write) {
    const std::string text = text_of(write.whole);
    if (!llvm::StringRef(text).starts_with("{")) return wrap(write.whole);
    const std::string type = declared_type();
    if (type.empty()) return {};
    return {insert_before(write.whole, "{" + registration(type)), insert_behind(write.whole, ")}")};
  }

  // `register_module("name", Type`, up to its value.
  std::string registration(const std::string& type) const {
    return std::string(function_for(kind_)) + "(" + quoted(field_.name) + ", " + type;
  }

  // A member that its class leaves to the default constructor.
  FixIts initialize() {
    const std::string type = declared_type();
    if (type.empty() || kind_ != StateKind::kModule) return {};
    return {insert_behind({unit_, field_.range}, "{" + registration(type) + "())}")};
  }

  // What stands before the member's name, where nothing else is declared there.
  std::string declared_type() const {
    const Site site{unit_, field_.range};
    const std::string file = Reporter::range_of(site).file;
    llvm::StringRef before =
        reporter_.line_of(file, field_.range.line).take_front(field_.range.column - 1).trim();
    before.consume_front("mutable ");
    const bool is_type = llvm::all_of(
        before, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("_:<> ,").contains(c); });
    const bool is_alone = before.contains('<') || !before.contains(',');
    return is_type && is_alone && !before.ends_with(",") ? before.str() : "";
  }

  // The one that is written, if there is one alone.
  std::optional<Site> only_constructor() const {
    std::optional<Site> only;
    for (const Site& site : constructors_) {
      const bool is_written = !(site.range == type_.range) && text_of(site).ends_with("}");
      if (!is_written) continue;
      if (only) return std::nullopt;
      only = site;
    }
    return only;
  }

  FixIts register_in(const Site& site) {
    const std::optional<Site> body = start_of_last_block(site);
    if (!body) return {};
    const std::string statement =
        std::string(function_for(kind_)) + "(" + quoted(field_.name) + ", " + field_.name + ");";
    const bool is_empty = text_of(site).ends_with("{}");
    const std::string file = Reporter::range_of(site).file;
    llvm::StringRef line = reporter_.line_of(file, site.range.line);
    const std::string indent = line.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
    return {
        insert_before(*body, is_empty ? " " + statement + " " : "\n" + indent + "  " + statement)};
  }

  // Just behind the brace that belongs to the one at the end of `site`.
  std::optional<Site> start_of_last_block(const Site& site) const {
    const std::string text = text_of(site);
    std::vector<size_t> open;
    size_t start = std::string::npos;
    for (size_t i = 0; i < text.size(); ++i) {
      llvm::StringRef rest = llvm::StringRef(text).substr(i);
      if (rest.starts_with("//"))
        i += rest.find('\n') == llvm::StringRef::npos ? 0 : rest.find('\n');
      if (text[i] == '"') i = text.find('"', i + 1);
      if (i == std::string::npos || i >= text.size()) return std::nullopt;
      if (text[i] == '{') open.push_back(i);
      if (text[i] != '}') continue;
      if (open.empty()) return std::nullopt;
      start = open.back();
      open.pop_back();
    }
    if (start == std::string::npos || !open.empty()) return std::nullopt;
    llvm::StringRef before = llvm::StringRef(text).take_front(start + 1);
    const size_t line_end = before.rfind('\n');
    Site point = site;
    point.range.line += static_cast<uint32_t>(before.count('\n'));
    point.range.column = line_end == llvm::StringRef::npos
                             ? site.range.column + static_cast<uint32_t>(before.size())
                             : static_cast<uint32_t>(before.size() - line_end);
    point.range.end_line = point.range.line;
    point.range.end_column = point.range.column;
    return point;
  }

  // What is put into a list or table is registered on the way.
  FixIts wrap_added() {
    if (calls_.empty() || !writes_are_of_nothing()) return {};
    const WrittenCall* added = nullptr;
    for (const WrittenCall& each : calls_) {
      const std::string_view name = each.name();
      const bool adds = name == "push_back" || name == "emplace" || name == "emplace_back" ||
                        name == "insert_or_assign";
      if (!adds) continue;
      if (added) return {};
      added = &each;
    }
    if (!added) return {};
    const ir::Argument& value = added->call().arguments.back();
    const ir::Instruction* made = ir::find_definition(*added->block, value.value);
    if (!made || made->call.type.kind != ir::TypeKind::kModule) return {};
    const bool is_table = added->call().arguments.size() == 3;
    const std::string name =
        is_table ? reporter_.source_of(added->site_of(added->call().arguments[1]))
                 : quoted(field_.name) + " + std::to_string(" + field_.name + ".size())";
    const bool is_text = !is_table || (!field_.type.arguments.empty() &&
                                       field_.type.arguments[0].kind == ir::TypeKind::kString);
    if (name.empty() || !is_text) return {};
    return {insert_before(added->site_of(value), "register_module(" + name + ", "),
            insert_behind(added->site_of(value), ")")};
  }

  // The list as it begins, empty.
  bool writes_are_of_nothing() const {
    return std::ranges::all_of(writes_, [](const Write& each) {
      return each.made && each.made->opcode == ir::Opcode::kCall &&
             each.made->call.arguments.empty();
    });
  }

  // --- Python ---

  FixIts fix_in_python() {
    if (writes_.size() != 1 || !writes_[0].value.valid()) return {};
    const Write& write = writes_[0];
    if (write.whole.range.end_line != write.value.range.line) return {};
    if (FixIts moved = move_inside_parameter(write); !moved.empty()) return moved;
    const std::string text = text_of(write.value);
    if (text.empty()) return {};
    if (kind_ == StateKind::kBuffer) return register_in_python(write, "register_buffer");
    const std::string nn = package_of_modules();
    const std::string_view holder = holder_of(text);
    if (nn.empty() || holder.empty()) return {};
    return {insert_before(write.value, nn + "." + std::string(holder) + "("),
            insert_behind(write.value, ")")};
  }

  // What of torch.nn registers what is in a list or a table.
  std::string_view holder_of(std::string_view text) const {
    const bool is_list = text.starts_with("[") || text.starts_with("list(");
    const bool is_table = text.starts_with("{") || text.starts_with("dict(");
    const bool are_modules = kind_ == StateKind::kModules;
    if (!are_modules && kind_ != StateKind::kParameters) return "";
    if (is_list) return are_modules ? "ModuleList" : "ParameterList";
    return is_table ? are_modules ? "ModuleDict" : "ParameterDict" : "";
  }

  // `self.x = value` becomes `self.register_buffer("x", value)`.
  FixIts register_in_python(const Write& write, const std::string& function) {
    const std::string whole = text_of(write.whole);
    llvm::StringRef target = whole;
    if (!target.consume_back(field_.name) || !target.ends_with(".")) return {};
    Site head = write.whole;
    head.range.end_line = write.value.range.line;
    head.range.end_column = write.value.range.column;
    const std::string beginning = text_of(head);
    llvm::StringRef between = llvm::StringRef(beginning).substr(target.size());
    between.consume_front(field_.name);
    if (between.trim() != "=") return {};
    return {replace(head, target.str() + function + "(" + quoted(field_.name) + ", "),
            insert_behind(write.value, ")")};
  }

  // `Parameter(x).to(device)` is a tensor: the parameter is to be made of what was moved.
  FixIts move_inside_parameter(const Write& write) {
    const std::optional<WrittenCall> move = call_at(write.value);
    if (!move || (move->name() != "to" && move->name() != "cuda")) return {};
    if (move->call().arguments.empty()) return {};
    const ir::Argument& receiver = move->call().arguments[0];
    const ir::Instruction* made = ir::find_definition(*move->block, receiver.value);
    const bool is_parameter =
        made && made->opcode == ir::Opcode::kCall && bare_name(made->call) == "Parameter";
    Site close = move->site_of(receiver);
    if (!is_parameter || !llvm::StringRef(text_of(close)).ends_with(")")) return {};
    close.range.line = close.range.end_line;
    close.range.column = close.range.end_column - 1;
    return {replace(close, ""), insert_behind(write.value, ")")};
  }

  // What the file calls torch.nn: what stands before Module where the class names its base.
  std::string package_of_modules() const {
    const Site site{unit_, type_.range};
    const std::string file = Reporter::range_of(site).file;
    llvm::StringRef line = reporter_.line_of(file, type_.range.line);
    const size_t at = line.find(".Module");
    if (at == llvm::StringRef::npos) return "";
    llvm::StringRef before = line.take_front(at);
    return before.take_back(before.size() - before.find_last_of("( ,") - 1).str();
  }

  std::string text_of(const Site& site) const { return reporter_.source_of(site); }

  using Named = std::pair<const ir::Instruction*, std::string>;

  const ir::Class& type_;
  const ir::Field& field_;
  StateKind kind_;
  Reporter& reporter_;
  const ir::Unit* unit_ = nullptr;
  std::vector<Write> writes_;
  std::vector<const ir::Instruction*> registered_;  // calls whose result the member gets
  std::vector<Named> names_;                        // of each registration in the class
  std::vector<WrittenCall> calls_;                  // of methods of the member
  std::vector<Site> constructors_;
};

}  // namespace

FixIts register_member(const ir::Class& type, const ir::Field& field, StateKind kind,
                       const dataflow::View& view, Reporter& reporter) {
  return Registration(type, field, kind, view, reporter).fix();
}

}  // namespace placecheck::checks
