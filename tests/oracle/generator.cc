#include "tests/oracle/generator.h"

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace placecheck::oracle {
namespace {

using Form = Statement::Form;

// How often a statement is tried, among others.
struct Weight {
  Form form;
  uint32_t weight;
};
constexpr std::array kWeights = {
    Weight{Form::kMake, 3},       Weight{Form::kMove, 8},       Weight{Form::kMoveLike, 3},
    Weight{Form::kSetTensor, 3},  Weight{Form::kAdd, 10},       Weight{Form::kAddInPlace, 3},
    Weight{Form::kMakeModule, 2}, Weight{Form::kSetModule, 2},  Weight{Form::kMoveModule, 4},
    Weight{Form::kTakePart, 2},   Weight{Form::kMovePart, 3},   Weight{Form::kForward, 6},
    Weight{Form::kTakeBuffer, 2}, Weight{Form::kPush, 4},       Weight{Form::kClear, 1},
    Weight{Form::kSetList, 1},    Weight{Form::kTake, 3},       Weight{Form::kTakeAt, 2},
    Weight{Form::kSetAt, 2},      Weight{Form::kSetField, 3},   Weight{Form::kTakeField, 3},
    Weight{Form::kSetPair, 2},    Weight{Form::kSetNumber, 1},  Weight{Form::kAddNumber, 2},
    Weight{Form::kAskNumber, 1},  Weight{Form::kSetTruth, 3},   Weight{Form::kIf, 12},
    Weight{Form::kRepeat, 3},     Weight{Form::kCount, 3},      Weight{Form::kForEach, 2},
    Weight{Form::kBreak, 2},      Weight{Form::kReturn, 1},     Weight{Form::kRaise, 1},
    Weight{Form::kCall, 6},       Weight{Form::kCallLambda, 2}, Weight{Form::kCallUnknown, 2},
    Weight{Form::kRecur, 4},
};

// Constants lie between the numbers that come from outside.
constexpr uint32_t kConstants = 4;
constexpr unsigned kMaxNesting = 2;

class Generator {
 public:
  explicit Generator(uint64_t seed) : engine_(seed) {}

  SourceProgram generate() {
    const size_t functions = 1 + below(4);
    for (uint32_t n = below(4); n > 0; --n) program_.globals.push_back(global());
    program_.functions.resize(functions);
    // Signatures first, since bodies call later functions.
    for (size_t i = 0; i < functions; ++i) declare(program_.functions[i], /*is_entry=*/i == 0);
    for (size_t i = 0; i < functions; ++i) fill(i);
    return std::move(program_);
  }

 private:
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(engine_() % bound); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  Device device() { return static_cast<Device>(below(kDevices)); }

  Variable variable(Kind kind, Storage storage) {
    Variable made{.kind = kind, .storage = storage};
    made.number = kind == Kind::kTruth ? below(2) : below(kConstants);
    // Most tensors begin on the CPU, as those of training code do.
    made.device = one_in(3) ? device() : Device::kCpu;
    return made;
  }
  Variable global() {
    constexpr std::array kGlobalKinds = {Kind::kTensor, Kind::kNet, Kind::kTruth, Kind::kNumber};
    Variable made = variable(kGlobalKinds[below(kGlobalKinds.size())], Storage::kGlobal);
    made.is_extern = (made.kind == Kind::kTruth || made.kind == Kind::kNumber) && one_in(2);
    return made;
  }

  void declare(SourceFunction& function, bool is_entry) {
    auto& variables = function.variables;
    auto parameters = [&](Kind kind, uint32_t count, bool may_be_reference) {
      for (; count > 0; --count) {
        const bool is_reference = may_be_reference && one_in(2);
        variables.push_back(
            variable(kind, is_reference ? Storage::kByReference : Storage::kByValue));
      }
    };
    parameters(Kind::kTruth, is_entry ? 1 + below(2) : below(2), false);
    parameters(Kind::kNumber, is_entry ? 1 : below(2), false);
    if (!is_entry) {
      parameters(Kind::kTensor, 1 + below(2), true);
      parameters(Kind::kNet, below(2), false);
      parameters(Kind::kLinear, below(2), false);
      parameters(Kind::kList, below(2), true);
      parameters(Kind::kPair, below(2), true);
    }
    auto locals = [&](Kind kind, uint32_t count) {
      for (; count > 0; --count) variables.push_back(variable(kind, Storage::kLocal));
    };
    locals(Kind::kTensor, 2 + below(2));
    locals(Kind::kNumber, 1);
    locals(Kind::kTruth, below(2));
    locals(Kind::kNet, below(2));
    locals(Kind::kLinear, below(2));
    locals(Kind::kList, below(2));
    locals(Kind::kPair, below(2));
  }

  void fill(size_t number) {
    number_ = number;
    function_ = &program_.functions[number];
    scope_ = function_->variables;
    scope_.insert(scope_.end(), program_.globals.begin(), program_.globals.end());
    function_->result = *any(Kind::kTensor);
    std::vector<Statement> body = block(3 + below(number == 0 ? 8 : 4), 0);
    function_->body = std::move(body);
  }

  std::optional<uint32_t> any(Kind kind) {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < scope_.size(); ++i) {
      if (scope_[i].kind == kind) found.push_back(i);
    }
    if (found.empty()) return std::nullopt;
    return found[below(static_cast<uint32_t>(found.size()))];
  }
  Kind module_kind() { return one_in(2) ? Kind::kNet : Kind::kLinear; }

  std::vector<Statement> block(uint32_t count, unsigned nesting) {
    std::vector<Statement> made;
    for (; count > 0; --count) {
      if (std::optional<Statement> each = statement(nesting)) made.push_back(std::move(*each));
    }
    return made;
  }

  Form form() {
    uint32_t total = 0;
    for (const Weight& each : kWeights) total += each.weight;
    uint32_t at = below(total);
    for (const Weight& each : kWeights) {
      if (at < each.weight) return each.form;
      at -= each.weight;
    }
    return Form::kAdd;
  }

  // None where the function has no variable for it.
  std::optional<Statement> statement(unsigned nesting) {
    Statement made;
    made.form = form();
    made.device = device();
    made.number = below(2);
    const std::optional<std::vector<Kind>> kinds = operand_kinds(made);
    if (kinds) {
      for (Kind kind : *kinds) {
        const std::optional<uint32_t> operand = any(kind);
        if (!operand) return std::nullopt;
        made.operands.push_back(*operand);
      }
      return made;
    }
    return structured(std::move(made), nesting);
  }

  // None of what is more than its operands.
  std::optional<std::vector<Kind>> operand_kinds(const Statement& statement) {
    constexpr Kind kT = Kind::kTensor;
    const Kind module = module_kind();
    switch (statement.form) {
      case Form::kMake:
        return std::vector{kT};
      case Form::kMove:
      case Form::kSetTensor:
      case Form::kAddInPlace:
        return std::vector{kT, kT};
      case Form::kMoveLike:
      case Form::kAdd:
        return std::vector{kT, kT, kT};
      case Form::kMakeModule:
      case Form::kMoveModule:
        return std::vector{module};
      case Form::kSetModule:
        return std::vector{module, module};
      case Form::kTakePart:
        return std::vector{Kind::kLinear, Kind::kNet};
      case Form::kMovePart:
        return std::vector{Kind::kNet};
      case Form::kForward:
        return std::vector{kT, module, kT};
      case Form::kTakeBuffer:
        return std::vector{kT, Kind::kNet};
      case Form::kPush:
      case Form::kSetAt:
        return std::vector{Kind::kList, kT};
      case Form::kClear:
        return std::vector{Kind::kList};
      case Form::kSetList:
        return std::vector{Kind::kList, Kind::kList};
      case Form::kTake:
        return std::vector{kT, Kind::kList};
      case Form::kTakeAt:
        return std::vector{kT, Kind::kList, Kind::kNumber};
      case Form::kSetField:
        return std::vector{Kind::kPair, kT};
      case Form::kTakeField:
        return std::vector{kT, Kind::kPair};
      case Form::kSetPair:
        return std::vector{Kind::kPair, Kind::kPair};
      case Form::kSetNumber:
      case Form::kAddNumber:
      case Form::kAskNumber:
        return std::vector{Kind::kNumber};
      case Form::kReturn:
        return std::vector{kT};
      default:
        return std::nullopt;
    }
  }

  std::optional<Statement> structured(Statement made, unsigned nesting) {
    switch (made.form) {
      case Form::kSetTruth:
        return with_condition(std::move(made), Kind::kTruth);
      case Form::kIf:
        if (nesting == kMaxNesting) return std::nullopt;
        made.condition = condition(2);
        made.body = block(1 + below(2), nesting + 1);
        if (one_in(3)) made.otherwise = block(1 + below(2), nesting + 1);
        return made;
      case Form::kRepeat:
        made.number = 1 + below(3);
        return loop(std::move(made), {Kind::kNumber}, nesting);
      case Form::kCount:
        return loop(std::move(made), {Kind::kNumber, Kind::kNumber}, nesting);
      case Form::kForEach:
        return loop(std::move(made), {Kind::kTensor, Kind::kList}, nesting);
      case Form::kBreak:
        return loops_ > 0 ? std::optional(made) : std::nullopt;
      case Form::kRaise:
        return nesting > 0 ? std::optional(made) : std::nullopt;
      case Form::kCall:
        return call(std::move(made));
      case Form::kCallLambda:
        return lambda(std::move(made), nesting);
      case Form::kCallUnknown:
        return call_unknown(std::move(made));
      case Form::kRecur:
        return recursion(std::move(made));
      default:
        return std::nullopt;
    }
  }

  std::optional<Statement> with_condition(Statement made, Kind kind) {
    const std::optional<uint32_t> to = any(kind);
    if (!to) return std::nullopt;
    made.operands = {*to};
    made.condition = condition(2);
    return made;
  }

  std::optional<Statement> loop(Statement made, const std::vector<Kind>& kinds, unsigned nesting) {
    if (nesting == kMaxNesting) return std::nullopt;
    for (Kind kind : kinds) {
      const std::optional<uint32_t> operand = any(kind);
      if (!operand) return std::nullopt;
      made.operands.push_back(*operand);
    }
    ++loops_;
    made.body = block(1 + below(3), nesting + 1);
    --loops_;
    if (made.form == Form::kCount && made.operands[0] == made.operands[1]) return std::nullopt;
    // A loop over a list that changes meanwhile has no meaning, and one whose counter, or bound,
    // the body sets is nothing that people write.
    const size_t fixed_from = made.form == Form::kForEach ? 1 : 0;
    for (size_t i = fixed_from; i < made.operands.size(); ++i) {
      if (may_change(made.body, made.operands[i])) return std::nullopt;
    }
    return made;
  }
  static bool may_change(const std::vector<Statement>& statements, uint32_t variable) {
    return std::ranges::any_of(statements, [&](const Statement& each) {
      return may_set(each, variable) || may_change(each.body, variable) ||
             may_change(each.otherwise, variable);
    });
  }
  static bool may_set(const Statement& statement, uint32_t variable) {
    if (statement.operands.empty()) return false;
    if (statement.operands[0] == variable) return true;
    const bool is_call = statement.form == Form::kCall || statement.form == Form::kRecur ||
                         statement.form == Form::kCallUnknown;
    return is_call && std::ranges::count(statement.operands, variable) != 0;
  }

  // The result, and a variable for each parameter.
  bool add_arguments(Statement& made, const SourceFunction& callee) {
    made.operands = {*any(Kind::kTensor)};
    for (const Variable& each : callee.variables) {
      if (each.storage != Storage::kByValue && each.storage != Storage::kByReference) continue;
      const std::optional<uint32_t> argument = any(each.kind);
      if (!argument) return false;
      made.operands.push_back(*argument);
    }
    return true;
  }
  std::optional<Statement> call(Statement made) {
    const size_t later = program_.functions.size() - number_ - 1;
    if (later == 0) return std::nullopt;
    made.number = static_cast<int64_t>(number_ + 1 + below(static_cast<uint32_t>(later)));
    return add_arguments(made, program_.functions[made.number]) ? std::optional(made)
                                                                : std::nullopt;
  }
  std::optional<Statement> recursion(Statement made) {
    if (number_ == 0 || !add_arguments(made, *function_)) return std::nullopt;
    for (uint32_t i = 0; i < function_->variables.size(); ++i) {
      const Variable& each = function_->variables[i];
      if (each.kind != Kind::kNumber || each.storage != Storage::kByValue) continue;
      made.operands.push_back(i);
      return made;
    }
    return std::nullopt;
  }

  std::optional<Statement> lambda(Statement made, unsigned nesting) {
    if (nesting == kMaxNesting) return std::nullopt;
    const unsigned loops = std::exchange(loops_, 0);
    made.body = block(1 + below(3), nesting + 1);
    loops_ = loops;
    return made;
  }

  std::optional<Statement> call_unknown(Statement made) {
    made.is_project_code = one_in(2);
    constexpr std::array kGiven = {Kind::kTensor, Kind::kNet, Kind::kLinear, Kind::kList};
    if (const std::optional<uint32_t> given = any(kGiven[below(kGiven.size())]))
      made.operands = {*given};
    return made;
  }

  Condition condition(unsigned depth) {
    using Of = Condition::Form;
    constexpr std::array kOperations = {"op.lt", "op.le", "op.gt", "op.ge", "op.eq", "op.ne"};
    Condition made;
    made.operation = kOperations[below(kOperations.size())];
    made.number = below(kConstants);
    switch (below(depth == 0 ? 6 : 9)) {
      case 0:
      case 1:
        if (add_operands(made, Of::kVariable, {Kind::kTruth})) return made;
        break;
      case 2:
        if (add_operands(made, Of::kCompareTwo, {Kind::kNumber, Kind::kNumber}) &&
            made.operands[0] != made.operands[1])
          return made;
        break;
      case 3:
        if (add_operands(made, Of::kIsCuda, {Kind::kTensor})) return made;
        break;
      case 4:
        if (add_operands(made, Of::kSameDevice, {Kind::kTensor, Kind::kTensor})) return made;
        break;
      case 5:
        if (one_in(2)) return {.form = Of::kUnknown, .operands = {}, .operation = {}, .parts = {}};
        break;
      case 6:
        return combined(Of::kNot, 1, depth);
      case 7:
        return combined(Of::kAnd, 2, depth);
      case 8:
        return combined(Of::kOr, 2, depth);
      default:
        break;
    }
    add_operands(made, Of::kCompare, {Kind::kNumber});
    return made;
  }
  bool add_operands(Condition& made, Condition::Form form, const std::vector<Kind>& kinds) {
    made.form = form;
    made.operands.clear();
    for (Kind kind : kinds) {
      const std::optional<uint32_t> operand = any(kind);
      if (!operand) return false;
      made.operands.push_back(*operand);
    }
    return true;
  }
  Condition combined(Condition::Form form, unsigned count, unsigned depth) {
    Condition made;
    made.form = form;
    for (; count > 0; --count) made.parts.push_back(condition(depth - 1));
    return made;
  }

  std::mt19937_64 engine_;
  SourceProgram program_;
  std::vector<Variable> scope_;  // of the function at hand, with the globals
  SourceFunction* function_ = nullptr;
  size_t number_ = 0;
  unsigned loops_ = 0;  // around what is made
};

}  // namespace

SourceProgram random_program(uint64_t seed) { return Generator(seed).generate(); }

}  // namespace placecheck::oracle
