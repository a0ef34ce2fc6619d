#include "analyzer/dataflow/program_index.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analyzer/models/libraries/effects.h"

namespace placecheck::dataflow {
namespace {

// Of a method's key, what its overrides have in common with it: the name and the parameters,
// without the class in front and the file behind.
std::string_view signature_of(std::string_view key) {
  std::string_view signature = key.substr(std::min(key.rfind("@F@"), key.size()));
  return signature.substr(0, signature.find("@/"));
}

}  // namespace

const FunctionLayout& ProgramIndex::layout(const ir::Function& function) {
  std::unique_ptr<FunctionLayout>& layout = layouts_[&function];
  if (!layout)
    layout =
        std::make_unique<FunctionLayout>(lay_out(function, unit_of(function), uses_of_numbers_));
  return *layout;
}

const ir::Function& ProgramIndex::keep(ir::Function function, const ir::Unit& unit) {
  kept_.push_back(std::move(function));
  made_[&kept_.back()] = &unit;
  return kept_.back();
}

const ir::Function* ProgramIndex::choose(const ir::Class& type, const Accepts& accepts,
                                         std::string_view key,
                                         const std::function<bool(const ir::Method&)>& is_meant) {
  const ir::Function* best = nullptr;
  int best_fit = key.empty() ? -1 : 0;
  const std::string_view signature = signature_of(key);
  for (const ir::Method& method : type.methods) {
    const ir::Function* function =
        is_meant(method) ? find_function(method.key, unit_of_class(type)) : nullptr;
    if (!function) continue;
    int fit = !accepts || accepts(*function) ? 1 : 0;
    if (!signature.empty() && signature_of(method.key) == signature) fit = 2;
    if (!key.empty() && method.key == key) fit = 3;
    if (fit <= best_fit) continue;
    best = function;
    best_fit = fit;
  }
  return best;
}

const ir::Function* ProgramIndex::find_method(const ir::Class& type, const std::string& name,
                                              size_t arity, const Accepts& accepts,
                                              std::string_view key) {
  const ir::Function* own = choose(type, accepts, key, [&](const ir::Method& method) {
    return !method.is_constructor && method.name == name && arity >= method.required &&
           arity <= method.arity;
  });
  if (own) return own;
  for (const ir::Type& base : type.bases) {
    const ir::Class* base_class = find_class(base.name, unit_of_class(type));
    if (!base_class || base_class == &type) continue;
    const ir::Function* inherited = find_method(*base_class, name, arity, accepts, key);
    if (inherited) return inherited;
  }
  return nullptr;
}

const ir::Function* ProgramIndex::find_constructor(const ir::Class& type, size_t arity,
                                                   const Accepts& accepts) {
  return choose(type, accepts, {}, [&](const ir::Method& method) {
    return method.is_constructor && arity >= method.required && arity <= method.arity;
  });
}

bool ProgramIndex::takes_library_type(const ir::Class& type, std::string_view name,
                                      std::string_view library) {
  const ir::Unit* unit = unit_of_class(type);
  for (const ir::Method& method : type.methods) {
    const ir::Function* function = method.name == name ? find_function(method.key, unit) : nullptr;
    bool takes = function && std::any_of(function->parameters.begin(), function->parameters.end(),
                                         [&](const ir::Parameter& parameter) {
                                           return parameter.type.name.starts_with(library);
                                         });
    if (takes) return true;
  }
  return std::any_of(type.bases.begin(), type.bases.end(), [&](const ir::Type& base) {
    const ir::Class* base_class = find_class(base.name, unit);
    return base_class && base_class != &type && takes_library_type(*base_class, name, library);
  });
}

bool ProgramIndex::overrides(const ir::Class& type, const std::string& name) {
  for (const ir::Method& method : type.methods) {
    if (method.name == name) return true;
  }
  for (const ir::Type& base : type.bases) {
    const ir::Class* base_class = find_class(base.name, unit_of_class(type));
    if (base_class && base_class != &type && overrides(*base_class, name)) return true;
  }
  return false;
}

namespace {

// Selects a device, moves something or ends what was begun, itself, by a function of the project
// or by a function value.
bool changes_places(const ir::Function& function) {
  using models::Effect;
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode != ir::Opcode::kCall) continue;
      std::optional<Effect> effect = models::find_effect(each.call.name);
      bool moves = models::selects_device(effect) || effect == Effect::kModuleMove ||
                   effect == Effect::kTransfer || effect == Effect::kToCuda ||
                   effect == Effect::kToCpu || effect == Effect::kUnpinHost ||
                   effect == Effect::kEndGroup || effect == Effect::kDeviceGuard ||
                   effect == Effect::kSetPointerMode;
      const bool is_indirect = each.call.kind == ir::CallKind::kIndirect;
      if (moves || is_indirect || !each.call.key.empty()) return true;
    }
  }
  return false;
}

}  // namespace

const ir::Function* ProgramIndex::find_destructor(const ir::Class& type) {
  auto [known, is_new] = destructors_.try_emplace(&type, nullptr);
  if (!is_new) return known->second;
  const ir::Unit* unit = unit_of_class(type);
  if (!unit) return nullptr;
  for (const ir::Function& function : unit->functions) {
    bool is_its = function.class_key == type.key && function.name.find("::~") != std::string::npos;
    if (is_its && changes_places(function)) return known->second = &function;
  }
  return nullptr;
}

const ir::Field* ProgramIndex::find_field(const ir::Class& type, const std::string& name) {
  for (const ir::Field& field : type.fields) {
    if (field.name == name) return &field;
  }
  for (const ir::Type& base : type.bases) {
    const ir::Class* base_class = find_class(base.name, unit_of_class(type));
    if (!base_class || base_class == &type) continue;
    if (const ir::Field* field = find_field(*base_class, name)) return field;
  }
  return nullptr;
}

std::vector<std::string> ProgramIndex::bases_of(const ir::Class& type) {
  std::vector<std::string> names;
  for (const ir::Type& base : type.bases) {
    names.push_back(base.name);
    const ir::Class* base_class = find_class(base.name, unit_of_class(type));
    if (!base_class || base_class == &type) continue;
    std::ranges::copy(bases_of(*base_class), std::back_inserter(names));
  }
  return names;
}

std::vector<const ir::Class*> ProgramIndex::lookup_order(const ir::Class& type) const {
  // Depth first, a class behind all that derive from it: what C3 comes to where it is defined.
  std::vector<const ir::Class*> order;
  std::set<const ir::Class*> on_path;
  auto visit = [&](auto& self, const ir::Class& each) -> void {
    constexpr size_t kMaxClasses = 64;
    if (order.size() > kMaxClasses || !on_path.insert(&each).second) return;
    std::erase(order, &each);
    order.push_back(&each);
    const ir::Unit* unit = unit_of_class(each);
    for (const ir::Type& base : each.bases) {
      if (const ir::Class* above = find_class(base.name, unit)) self(self, *above);
    }
    on_path.erase(&each);
  };
  visit(visit, type);
  return order;
}

bool ProgramIndex::derives_from(const ir::Class& type, const std::string& name) {
  std::vector<std::string> bases = bases_of(type);
  return std::ranges::find(bases, name) != bases.end();
}

namespace {

bool is_arithmetic(const ir::Instruction& instruction) {
  static constexpr std::string_view kOperations[] = {"object.update", "op.add", "op.div", "op.mod",
                                                     "op.mul",        "op.neg", "op.sub"};
  return instruction.opcode == ir::Opcode::kCall &&
         std::ranges::find(kOperations, instruction.call.name) != std::end(kOperations);
}

void add_counted_fields(const ir::Block& block, std::unordered_set<std::string_view>& fields) {
  std::unordered_map<ir::Register, const ir::Instruction*> made;
  const auto definition = [&](ir::Register value) {
    const auto found = made.find(value);
    return found == made.end() ? nullptr : found->second;
  };
  const auto is_computed = [&](ir::Register value) {
    const ir::Instruction* definer = definition(value);
    return definer && is_arithmetic(*definer);
  };
  for (const ir::Instruction& each : block.instructions) {
    made[each.result] = &each;
    if (each.opcode == ir::Opcode::kAssign && is_computed(each.operands[1])) {
      const ir::Instruction* target = definition(each.operands[0]);
      if (target && target->opcode == ir::Opcode::kField) fields.insert(target->symbol);
    }
    const bool sets = each.opcode == ir::Opcode::kCall && each.call.name == "object.set" &&
                      each.call.arguments.size() == 3;
    if (!sets || !is_computed(each.call.arguments[2].value)) continue;
    const ir::Instruction* name = definition(each.call.arguments[1].value);
    const auto* text = name ? std::get_if<std::string>(&name->literal) : nullptr;
    if (text) fields.insert(*text);
  }
}

}  // namespace

bool ProgramIndex::is_set(const std::string& global) {
  if (!set_globals_) {
    set_globals_.emplace();
    for (const ir::Unit* unit : program_.units) {
      for (const ir::Function& function : unit->functions) {
        // A module's own code runs once, and what it sets stays as it is.
        if (function.name == "<module>") continue;
        for (const ir::Block& block : function.blocks) {
          for (const ir::Instruction& each : block.instructions) {
            bool sets = each.opcode == ir::Opcode::kStore || each.opcode == ir::Opcode::kBind ||
                        (each.opcode == ir::Opcode::kRef && each.taken);
            if (sets && each.symbol.starts_with("@")) set_globals_->insert(each.symbol);
          }
        }
      }
    }
  }
  return set_globals_->count(global) != 0;
}

bool ProgramIndex::is_counted(std::string_view field) {
  if (!counted_fields_) {
    counted_fields_.emplace();
    for (const ir::Unit* unit : program_.units) {
      for (const ir::Function& function : unit->functions) {
        for (const ir::Block& block : function.blocks) add_counted_fields(block, *counted_fields_);
      }
    }
  }
  return counted_fields_->contains(field);
}

bool ProgramIndex::may_choose_device(const ir::Function& function) {
  if (!device_choices_) device_choices_.emplace(program_);
  return device_choices_->may_choose_device(function);
}

}  // namespace placecheck::dataflow
