#include "analyzer/ir/link.h"

#include <numeric>
#include <unordered_set>

#include "analyzer/ir/link_index.h"
#include "analyzer/ir/walk.h"

namespace placecheck::ir {
namespace {

// Names in the order of their first use, so that programs are the same in every run.
class Names {
 public:
  void insert(std::string_view name) {
    if (!name.empty() && seen_.insert(name).second) names_.push_back(name);
  }
  auto begin() const { return names_.begin(); }
  auto end() const { return names_.end(); }

 private:
  std::vector<std::string_view> names_;
  std::unordered_set<std::string_view> seen_;
};

// The keys and slots that a unit uses.
struct References {
  Names functions;
  Names classes;
  Names globals;
};

void add_references(const Instruction& instruction, References& out) {
  const Call& call = instruction.call;
  if (call.kind == CallKind::kConstruct) {
    out.classes.insert(call.key);
  } else {
    out.functions.insert(call.key);
  }
  if (instruction.opcode == Opcode::kClosure) out.functions.insert(instruction.symbol);
  if (instruction.symbol.starts_with('@')) out.globals.insert(instruction.symbol);
}

References references_of(const Unit& unit) {
  References out;
  for (const Function& function : unit.functions) {
    for (const Parameter& each : function.parameters) out.functions.insert(each.default_function);
    walk_instructions(function, [&](const Instruction& instruction, InstructionPlace) {
      add_references(instruction, out);
    });
  }
  // An object of a class may be asked for any of its methods.
  for (const Class& each : unit.classes) {
    for (const Method& method : each.methods) out.functions.insert(method.key);
    for (const Type& base : each.bases) out.classes.insert(base.name);
  }
  for (const Global& global : unit.globals) out.functions.insert(global.initializer);
  return out;
}

class Groups {
 public:
  explicit Groups(size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), uint32_t{0});
  }
  uint32_t find(uint32_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  // The smaller number stands for the group, so that the order of programs is that of the files.
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace

class Linker {
 public:
  explicit Linker(std::span<const Unit* const> units)
      : index_(std::make_shared<const LinkIndex>(units)) {
    references_.reserve(units.size());
    for (const Unit* unit : units) references_.push_back(references_of(*unit));
  }

  std::vector<Program> run();

 private:
  Program begin() const;
  void add(Program& program, uint32_t unit) const;
  void close(Program& program) const;
  template <typename Symbol>
  void pull(Program& program, const SymbolTable<Symbol>& table, std::string_view key,
            uint32_t user) const;
  template <typename Symbol>
  void join(Groups& groups, const SymbolTable<Symbol>& table, std::string_view key, uint32_t user,
            const std::vector<bool>& reached) const;
  Groups group(const std::vector<bool>& reached) const;

  std::shared_ptr<const LinkIndex> index_;
  std::vector<References> references_;  // by unit
};

Program Linker::begin() const {
  Program program;
  program.index_ = index_;
  program.members_.assign(index_->size(), false);
  return program;
}

void Linker::add(Program& program, uint32_t unit) const {
  if (unit == kNoUnit || program.members_[unit]) return;
  program.members_[unit] = true;
  program.units.push_back(&index_->unit(unit));
}

template <typename Symbol>
void Linker::pull(Program& program, const SymbolTable<Symbol>& table, std::string_view key,
                  uint32_t user) const {
  std::span<const Definition<Symbol>> all = table.all(key);
  for (const Definition<Symbol>& each : all) {
    if (program.members_[each.unit]) return;
  }
  add(program, index_->pick<Symbol>(all, user, {}).unit);
}

void Linker::close(Program& program) const {
  program.roots = program.units.size();
  for (size_t i = 0; i < program.units.size(); ++i) {
    uint32_t user = index_->number_of(program.units[i]);
    const References& references = references_[user];
    for (std::string_view key : references.functions) {
      if (index_->functions().all(key).empty()) {
        add(program, index_->declared_elsewhere(key, user, {}).unit);
      }
      pull(program, index_->functions(), key, user);
    }
    for (std::string_view key : references.classes) pull(program, index_->classes(), key, user);
    for (std::string_view slot : references.globals) pull(program, index_->globals(), slot, user);
  }
}

template <typename Symbol>
void Linker::join(Groups& groups, const SymbolTable<Symbol>& table, std::string_view key,
                  uint32_t user, const std::vector<bool>& reached) const {
  for (const Definition<Symbol>& each : table.all(key)) {
    if (reached[each.unit]) continue;
    // All who use or define it join the first definer, and so each other.
    groups.join(user, each.unit);
    return;
  }
}

Groups Linker::group(const std::vector<bool>& reached) const {
  Groups groups(index_->size());
  for (uint32_t unit = 0; unit < index_->size(); ++unit) {
    if (reached[unit]) continue;
    const References& references = references_[unit];
    for (std::string_view key : references.functions) {
      join(groups, index_->functions(), key, unit, reached);
    }
    for (std::string_view key : references.classes) {
      join(groups, index_->classes(), key, unit, reached);
    }
    for (std::string_view slot : references.globals) {
      join(groups, index_->globals(), slot, unit, reached);
    }
    for (const Function& each : index_->unit(unit).functions) {
      join(groups, index_->functions(), each.key, unit, reached);
    }
    for (const Class& each : index_->unit(unit).classes) {
      join(groups, index_->classes(), each.key, unit, reached);
    }
  }
  return groups;
}

std::vector<Program> Linker::run() {
  std::vector<Program> programs;
  std::vector<bool> reached(index_->size(), false);
  auto finish = [&](Program& program) {
    close(program);
    const Unit& first = *program.units.front();
    program.name = first.files.empty() ? "" : first.files[0];
  };
  for (uint32_t unit = 0; unit < index_->size(); ++unit) {
    if (!index_->has_entry(unit)) continue;
    Program& program = programs.emplace_back(begin());
    add(program, unit);
    finish(program);
    for (const Unit* each : program.units) reached[index_->number_of(each)] = true;
  }
  Groups groups = group(reached);
  std::vector<std::vector<uint32_t>> members(index_->size());
  for (uint32_t unit = 0; unit < index_->size(); ++unit) {
    if (!reached[unit]) members[groups.find(unit)].push_back(unit);
  }
  for (const std::vector<uint32_t>& library : members) {
    if (library.empty()) continue;
    Program& program = programs.emplace_back(begin());
    program.is_library = true;
    for (uint32_t unit : library) add(program, unit);
    finish(program);
  }
  return programs;
}

const Function* Program::find_function(std::string_view key, const Unit* caller) const {
  uint32_t user = index_ ? index_->number_of(caller) : kNoUnit;
  if (!index_ || key.empty()) return nullptr;
  if (const Function* own = index_->functions().in_unit(key, user)) return own;
  auto all = index_->functions().all(key);
  if (all.empty()) return index_->declared_elsewhere(key, user, members_).symbol;
  return index_->pick<Function>(all, user, members_).symbol;
}

const Class* Program::find_class(std::string_view key, const Unit* user) const {
  uint32_t number = index_ ? index_->number_of(user) : kNoUnit;
  if (!index_ || key.empty()) return nullptr;
  if (const Class* own = index_->classes().in_unit(key, number)) return own;
  return index_->pick<Class>(index_->classes().all(key), number, members_).symbol;
}

const Global* Program::find_global(std::string_view slot, const Unit* user) const {
  uint32_t number = index_ ? index_->number_of(user) : kNoUnit;
  if (!index_ || slot.empty()) return nullptr;
  if (const Global* own = index_->globals().in_unit(slot, number)) return own;
  auto defined = index_->pick<Global>(index_->globals().all(slot), number, members_);
  if (defined.symbol) return defined.symbol;
  if (const Global* own = index_->declarations().in_unit(slot, number)) return own;
  return index_->pick<Global>(index_->declarations().all(slot), number, members_).symbol;
}

const Unit* Program::unit_of(const Function& function) const {
  uint32_t unit = index_ ? index_->functions().unit_of(function) : kNoUnit;
  return unit != kNoUnit && members_[unit] ? &index_->unit(unit) : nullptr;
}

const Unit* Program::unit_of(const Class& class_) const {
  uint32_t unit = index_ ? index_->classes().unit_of(class_) : kNoUnit;
  return unit != kNoUnit && members_[unit] ? &index_->unit(unit) : nullptr;
}

std::vector<const Function*> Program::entries() const {
  std::vector<const Function*> out;
  for (size_t i = 0; i < roots; ++i) {
    for (const Function& function : units[i]->functions) {
      if (is_library ? function.is_exported : function.is_entry) out.push_back(&function);
    }
  }
  return out;
}

std::vector<Program> link(std::span<const Unit* const> units) { return Linker(units).run(); }

}  // namespace placecheck::ir
