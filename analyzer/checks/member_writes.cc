#include "analyzer/checks/member_writes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace placecheck::checks {
namespace {

constexpr int kMaxDepth = 4;

bool is_one_of(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_tensor_method(const std::string& name) { return name.starts_with("at::Tensor"); }

// A view of a tensor: what is written into it is written into the tensor.
bool is_view(const std::string& method) {
  return is_one_of(method, {"operator[]", "index", "select", "narrow", "slice", "view", "data"});
}

bool overwrites(const std::string& method) {
  return is_one_of(method, {"copy_", "fill_", "zero_", "set_data", "index_put_", "clear"});
}

// Methods in place end in "_"; some of them only change how the tensor is seen.
bool updates(const std::string& name, const std::string& method) {
  if (is_one_of(method, {"requires_grad_", "detach_", "set_requires_grad", "retain_grad_"}))
    return false;
  if (is_tensor_method(name)) {
    bool compound = is_one_of(method, {"operator+=", "operator-=", "operator*=", "operator/="});
    return compound || (method.ends_with("_") && !method.ends_with("__"));
  }
  return name.starts_with("std::") &&
         is_one_of(method, {"push_back", "emplace_back", "insert", "emplace", "push", "clear",
                            "pop_back", "erase", "resize", "operator+="});
}

// The same values, elsewhere or laid out otherwise: `.to` in Python, `at::Tensor::to`.
bool moves(const std::string& method) {
  const std::string name = method.substr(method.starts_with(".") ? 1 : 0);
  return is_one_of(name, {"to", "cuda", "cpu", "type_as", "contiguous"});
}

class Scan {
 public:
  // `follows_names`: also calls that only a name tells, where there are no types.
  Scan(dataflow::ProgramIndex& program, bool follows_names)
      : program_(program), follows_names_(follows_names) {}

  void run(const ir::Function& function, int depth) {
    if (depth > kMaxDepth || !use_.functions.insert(&function).second) return;
    const ir::Unit* unit = program_.unit_of(function);
    const ir::Function* caller = std::exchange(function_, &function);
    std::map<ir::Register, std::string> members;
    for (const ir::Block& block : function.blocks) {
      std::set<ir::Register> self;
      for (const ir::Instruction& instruction : block.instructions)
        step(instruction, *unit, depth, self, members);
      members.clear();  // registers are a block's own
      moved_.clear();
      updated_.clear();
      texts_.clear();
    }
    function_ = caller;
  }

  MemberUse take() { return std::move(use_); }

 private:
  void step(const ir::Instruction& i, const ir::Unit& unit, int depth, std::set<ir::Register>& self,
            std::map<ir::Register, std::string>& members) {
    auto member_of = [&](ir::Register value) {
      auto found = members.find(value);
      return found == members.end() ? std::string() : found->second;
    };
    switch (i.opcode) {
      case ir::Opcode::kLoad:
        if (i.symbol == "this") self.insert(i.result);
        return;
      case ir::Opcode::kConst:
        if (const auto* text = std::get_if<std::string>(&i.literal)) texts_[i.result] = *text;
        return;
      case ir::Opcode::kField:
        if (self.count(i.operands[0])) members[i.result] = i.symbol;
        return;
      case ir::Opcode::kCopy:
        if (std::string name = member_of(i.operands[0]); !name.empty()) {
          read_.insert(name);
          members[i.result] = name;
        }
        return;
      case ir::Opcode::kIndex:
        if (std::string name = member_of(i.operands[0]); !name.empty()) members[i.result] = name;
        return;
      case ir::Opcode::kAssign:
        if (std::string name = member_of(i.operands[0]);
            !name.empty() && !is_moved(i.operands.back(), name))
          add(name, unit, i.range, false);
        return;
      case ir::Opcode::kCall:
        call(i, unit, depth, self, members);
        return;
      default:
        return;
    }
  }

  void call(const ir::Instruction& i, const ir::Unit& unit, int depth,
            const std::set<ir::Register>& self, std::map<ir::Register, std::string>& members) {
    const ir::Call& call = i.call;
    if (call.arguments.empty()) return;
    ir::Register receiver = call.arguments[0].value;
    if (self.count(receiver)) {
      // Attributes by name, where there are no types.
      auto name = call.arguments.size() > 1 ? texts_.find(call.arguments[1].value) : texts_.end();
      if (call.name == "object.get" && name != texts_.end()) {
        members[i.result] = name->second;
        read_.insert(name->second);
        return;
      }
      if (call.name == "object.set" && name != texts_.end()) {
        const ir::Register value = call.arguments.back().value;
        if (!is_moved(value, name->second))
          add(name->second, unit, i.range, false, is_result(updated_, value, name->second));
        return;
      }
      if (const ir::Function* callee = callee_of(call, unit)) {
        const auto texts = texts_, moved = moved_, updated = updated_;
        run(*callee, depth + 1);
        texts_ = texts;
        moved_ = moved;
        updated_ = updated;
      }
      return;
    }
    auto found = members.find(receiver);
    if (call.name == "object.update" && found != members.end()) updated_[i.result] = found->second;
    std::string method(ir::last_component(call.name));
    if (call.kind == ir::CallKind::kMethod && found != members.end()) {
      const std::string name = found->second;
      if (moves(method)) moved_[i.result] = name;
      if (updates(call.name, method)) {
        add(name, unit, i.range, !overwrites(method));
        return;
      }
      if (is_tensor_method(call.name) && is_view(method)) {
        members[i.result] = name;
        return;
      }
    }
    for (const ir::Argument& argument : call.arguments) {
      if (auto passed = members.find(argument.value); passed != members.end())
        read_.insert(passed->second);
    }
  }

  // What a call of the object's own method runs: by key, or where there are no types, by name.
  const ir::Function* callee_of(const ir::Call& call, const ir::Unit& unit) {
    if (!follows_names_ || !call.key.empty() || !call.name.starts_with("."))
      return program_.find_function(call.key, &unit);
    const ir::Class* type = program_.find_class(function_->class_key, &unit);
    if (!type) return nullptr;
    for (const ir::Class* each : program_.lookup_order(*type)) {
      const auto method = std::ranges::find(each->methods, call.name.substr(1), &ir::Method::name);
      if (method != each->methods.end()) return program_.find_function(method->key, &unit);
    }
    return nullptr;
  }

  static bool is_result(const std::map<ir::Register, std::string>& results, ir::Register value,
                        const std::string& member) {
    const auto found = results.find(value);
    return found != results.end() && found->second == member;
  }

  // `this->x = this->x.to(device)`: each replica makes it anew.
  bool is_moved(ir::Register value, const std::string& member) const {
    return is_result(moved_, value, member);
  }

  void add(const std::string& member, const ir::Unit& unit, const ir::Range& range, bool reads_old,
           bool is_in_place = false) {
    bool read_before = reads_old || read_.count(member);
    auto known = std::find_if(use_.writes.begin(), use_.writes.end(),
                              [&](const MemberWrite& write) { return write.member == member; });
    if (known == use_.writes.end())
      use_.writes.push_back({member, &unit, range, read_before, is_in_place});
  }

  dataflow::ProgramIndex& program_;
  bool follows_names_;
  const ir::Function* function_ = nullptr;  // that is scanned
  MemberUse use_;
  std::set<std::string> read_;
  std::map<ir::Register, std::string> texts_;    // in the block at hand
  std::map<ir::Register, std::string> moved_;    // members that were moved, in that block
  std::map<ir::Register, std::string> updated_;  // and those that were updated in place
};

struct Mentions {
  bool of_this = false;    // of the object whose method it is
  bool of_others = false;  // of another one
  bool is_set = false;     // an attribute by name
};

// As a field, or as the name of an attribute that is looked up or set.
Mentions find_mentions(const ir::Function& function, const std::string& member) {
  Mentions found;
  for (const ir::Block& block : function.blocks) {
    const auto add = [&](ir::Register object) {
      const ir::Instruction* made = ir::find_definition(block, object);
      const bool is_this = made && made->opcode == ir::Opcode::kLoad && made->symbol == "this";
      (is_this ? found.of_this : found.of_others) = true;
    };
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode == ir::Opcode::kField && each.symbol == member) add(each.operands[0]);
      const bool asks = each.opcode == ir::Opcode::kCall && each.call.arguments.size() > 1 &&
                        (each.call.name == "object.get" || each.call.name == "object.set");
      const ir::Instruction* name =
          asks ? ir::find_definition(block, each.call.arguments[1].value) : nullptr;
      const auto* text = name ? std::get_if<std::string>(&name->literal) : nullptr;
      if (!text || *text != member) continue;
      if (each.call.name == "object.set")
        found.is_set = true;
      else
        add(each.call.arguments[0].value);
    }
  }
  return found;
}

}  // namespace

MemberUse find_member_writes(const ir::Function& method, dataflow::ProgramIndex& program) {
  // A tensor that a method makes for the constructor may be made anew by others that call it.
  Scan scan(program, method.kind != ir::FunctionKind::kConstructor);
  scan.run(method, 0);
  return scan.take();
}

bool is_mentioned_elsewhere(const std::string& member, const ir::Class& type,
                            const std::set<const ir::Function*>& functions,
                            const ir::Program& program) {
  // Other classes may have a member of that name as well.
  bool is_of_one_class = true, is_asked_by_others = false;
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      bool own = function.class_key == type.key;
      bool prepares = own && (function.kind == ir::FunctionKind::kConstructor ||
                              function.name.ends_with("::reset"));
      if (prepares || functions.count(&function)) continue;
      const Mentions mentions = find_mentions(function, member);
      if (own || function.class_key.empty()) {
        if (mentions.of_this || mentions.of_others) return true;
        continue;
      }
      is_of_one_class = is_of_one_class && !mentions.of_this && !mentions.is_set;
      is_asked_by_others = is_asked_by_others || mentions.of_others;
    }
  }
  return is_of_one_class && is_asked_by_others;
}

}  // namespace placecheck::checks
