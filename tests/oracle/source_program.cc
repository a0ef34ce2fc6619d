#include "tests/oracle/source_program.h"

#include <set>
#include <string_view>
#include <utility>

#include "analyzer/ir/builder.h"
#include "analyzer/ir/parse.h"

namespace placecheck::oracle {
namespace {

using ir::Register;

constexpr char kLinearClass[] = "torch::nn::LinearImpl";

ir::Type type_of(Kind kind) {
  switch (kind) {
    case Kind::kTensor:
      return {ir::TypeKind::kTensor, {}, {}};
    case Kind::kLinear:
      return {ir::TypeKind::kModule, kLinearClass, {}};
    case Kind::kNet:
      return {ir::TypeKind::kModule, "Net", {}};
    case Kind::kList:
      return {ir::TypeKind::kContainer, {}, {{ir::TypeKind::kTensor, {}, {}}}};
    case Kind::kPair:
      return {ir::TypeKind::kRecord, "Pair", {}};
    case Kind::kNumber:
      return {ir::TypeKind::kInt, {}, {}};
    case Kind::kTruth:
      return {ir::TypeKind::kBool, {}, {}};
  }
  return {};
}

const ir::Type kTensorType = type_of(Kind::kTensor);
const ir::Type kBoolType = type_of(Kind::kTruth);
const ir::Type kIntType = type_of(Kind::kNumber);
const ir::Type kVoidType = {ir::TypeKind::kVoid, {}, {}};

bool is_module(Kind kind) { return kind == Kind::kLinear || kind == Kind::kNet; }

const char* part_name(int64_t number) { return number == 0 ? "first" : "second"; }
const char* field_name(int64_t number) { return number == 0 ? "x" : "y"; }
std::string function_name(size_t number) {
  return number == 0 ? "main" : "f" + std::to_string(number);
}

std::string global_name(size_t number) { return "@g" + std::to_string(number); }

// What a function refers to.
struct Uses {
  std::set<uint32_t> variables;
  std::set<int64_t> functions;

  void add(const Condition& condition) {
    variables.insert(condition.operands.begin(), condition.operands.end());
    for (const Condition& part : condition.parts) add(part);
  }
  void add(const std::vector<Statement>& statements) {
    for (const Statement& each : statements) {
      variables.insert(each.operands.begin(), each.operands.end());
      if (each.form == Statement::Form::kCall) functions.insert(each.number);
      add(each.condition);
      add(each.body);
      add(each.otherwise);
    }
  }
};
Uses uses_of(const SourceFunction& function) {
  Uses uses;
  uses.variables.insert(function.result);
  uses.add(function.body);
  return uses;
}

// Emits calls and literals.
class Emitter {
 public:
  explicit Emitter(ir::Function& function) : builder_(function) {}

  ir::Builder& builder() { return builder_; }

  Register number(int64_t value) { return builder_.constant(value); }
  Register device(Device device) { return builder_.constant(ir::DeviceLiteral{name_of(device)}); }

  Register call(ir::CallKind kind, std::string name, std::string key, std::vector<Register> values,
                ir::Type type) {
    ir::Call call;
    call.kind = kind;
    call.name = std::move(name);
    call.key = std::move(key);
    for (Register value : values) call.arguments.emplace_back().value = value;
    call.discarded = type.kind == ir::TypeKind::kVoid;
    call.type = std::move(type);
    return builder_.call(std::move(call));
  }
  Register direct(std::string name, std::vector<Register> values, ir::Type type = kTensorType) {
    return call(ir::CallKind::kDirect, std::move(name), "", std::move(values), std::move(type));
  }
  Register method(std::string name, std::vector<Register> values, ir::Type type = kTensorType) {
    return call(ir::CallKind::kMethod, std::move(name), "", std::move(values), std::move(type));
  }

  Register ones(Device where) {
    const Register sizes =
        direct("list", {number(2), number(2)}, {ir::TypeKind::kContainer, {}, {kIntType}});
    return where == Device::kCpu ? direct("torch::ones", {sizes})
                                 : direct("torch::ones", {sizes, device(where)});
  }
  Register linear() {
    return call(ir::CallKind::kConstruct, kLinearClass, "", {number(2), number(2)},
                type_of(Kind::kLinear));
  }
  Register construct(const std::string& name, Kind kind) {
    return call(ir::CallKind::kConstruct, name, name, {}, type_of(kind));
  }

 private:
  ir::Builder builder_;
};

class FunctionLowering {
 public:
  // Functions within the function are added to `lambdas`.
  FunctionLowering(const SourceProgram& program, size_t number, ir::Function& function,
                   std::vector<ir::Function>& lambdas)
      : program_(program),
        source_(program.functions[number]),
        number_(number),
        function_(function),
        lambdas_(lambdas),
        emit_(function),
        variables_(source_.variables) {
    for (size_t i = 0; i < source_.variables.size(); ++i) names_.push_back("v" + std::to_string(i));
    for (size_t i = 0; i < program.globals.size(); ++i) {
      variables_.push_back(program.globals[i]);
      names_.push_back(global_name(i));
    }
  }

  void lower_function() {
    const Uses uses = uses_of(source_);
    for (uint32_t i = 0; i < source_.variables.size(); ++i) {
      if (is_parameter(i) || uses.variables.contains(i)) declare(i);
    }
    lower(source_.body);
    end(source_.result);
  }
  // The function refers to all variables of the one around it.
  void lower_lambda_body(const std::vector<Statement>& body) {
    for (uint32_t each : captured()) add_parameter(each, /*by_reference=*/true);
    function_.captures = static_cast<uint32_t>(function_.parameters.size());
    lower(body);
    end(source_.result);
  }

 private:
  ir::Builder& builder() { return emit_.builder(); }
  Register load(uint32_t variable) { return builder().load(names_[variable]); }
  Register ref(uint32_t variable) { return builder().ref(names_[variable]); }
  void store(uint32_t variable, Register value) { builder().store(names_[variable], value); }
  bool is_parameter(size_t variable) const {
    const Storage storage = variables_[variable].storage;
    return storage == Storage::kByValue || storage == Storage::kByReference;
  }

  void declare(size_t i) {
    const Variable& variable = variables_[i];
    if (is_parameter(i)) {
      add_parameter(i, variable.storage == Storage::kByReference);
    } else {
      builder().new_slot(names_[i], type_of(variable.kind), {});
      initialize(i, variable);
    }
  }
  void add_parameter(size_t i, bool by_reference) {
    const ir::Type type = type_of(variables_[i].kind);
    builder().new_slot(names_[i], type, {});
    ir::Parameter parameter;
    parameter.name = names_[i];
    parameter.type = type;
    parameter.by_reference = by_reference;
    function_.parameters.push_back(std::move(parameter));
  }
  void end(uint32_t result) {
    if (!builder().terminated()) builder().ret(load(result));
    builder().finish();
  }

  void initialize(uint32_t i, const Variable& variable) {
    switch (variable.kind) {
      case Kind::kTensor:
        return store(i, emit_.ones(variable.device));
      case Kind::kLinear:
        return store(i, emit_.linear());
      case Kind::kNet:
        return store(i, emit_.construct("Net", variable.kind));
      case Kind::kList:
        store(i, emit_.direct("list", {}, type_of(variable.kind)));
        for (int64_t n = 0; n < variable.number; ++n) push(i, emit_.ones(variable.device));
        return;
      case Kind::kPair:
        store(i, emit_.construct("Pair", variable.kind));
        for (int n = 0; n < 2; ++n)
          builder().assign(builder().field(ref(i), field_name(n)), emit_.ones(variable.device));
        return;
      case Kind::kNumber:
        return store(i, emit_.number(variable.number));
      case Kind::kTruth:
        return store(i, builder().constant(variable.number != 0));
    }
  }

  void push(uint32_t list, Register tensor) {
    emit_.method("std::vector::push_back", {ref(list), tensor}, kVoidType);
  }

  void lower(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      if (builder().terminated()) builder().enter(builder().new_block());
      lower(statement);
    }
  }

  void lower(const Statement& statement) {
    using Form = Statement::Form;
    auto at = [&](size_t i) { return statement.operands[i]; };
    switch (statement.form) {
      case Form::kMake:
        return store(at(0), emit_.ones(statement.device));
      case Form::kMove:
        return store(at(0), to(load(at(1)), emit_.device(statement.device)));
      case Form::kMoveLike: {
        const Register tensor = load(at(1));
        return store(at(0), to(tensor, device_of(at(2))));
      }
      case Form::kSetTensor:
      case Form::kSetModule:
        return store(at(0), load(at(1)));
      case Form::kAdd:
        return store(at(0), emit_.direct("at::operator+", {load(at(1)), load(at(2))}));
      case Form::kAddInPlace:
        emit_.method("at::Tensor::add_", {load(at(0)), load(at(1))});
        return;
      case Form::kMakeModule:
        return initialize(at(0), {.kind = variables_[at(0)].kind});
      case Form::kMoveModule:
        return move_module(load(at(0)), statement.device);
      case Form::kTakePart:
        return store(at(0), builder().copy(part(at(1), statement.number)));
      case Form::kMovePart:
        return move_module(part(at(0), statement.number), statement.device);
      case Form::kForward:
        return store(at(0), forward(at(1), at(2)));
      case Form::kTakeBuffer:
        return store(at(0), builder().copy(builder().field(load(at(1)), "shift")));
      case Form::kPush:
        return push(at(0), load(at(1)));
      case Form::kClear:
        emit_.method("std::vector::clear", {ref(at(0))}, kVoidType);
        return;
      case Form::kSetList:
      case Form::kSetPair:
        return store(at(0), builder().copy(ref(at(1))));
      case Form::kTake:
        return store(at(0), builder().copy(element(at(1), emit_.number(statement.number))));
      case Form::kTakeAt:
        return store(at(0), builder().copy(element(at(1), load(at(2)))));
      case Form::kSetAt:
        return builder().assign(element(at(0), emit_.number(statement.number)), load(at(1)));
      case Form::kSetField:
        return builder().assign(builder().field(ref(at(0)), field_name(statement.number)),
                                load(at(1)));
      case Form::kTakeField:
        return store(at(0),
                     builder().copy(builder().field(ref(at(1)), field_name(statement.number))));
      case Form::kSetNumber:
        return store(at(0), emit_.number(statement.number));
      case Form::kAddNumber:
        return store(at(0), calculate("op.add", load(at(0)), emit_.number(statement.number)));
      case Form::kAskNumber:
        return store(at(0), emit_.call(ir::CallKind::kDirect, "ask", "ask", {}, kIntType));
      case Form::kSetTruth:
        return store(at(0), condition(statement.condition));
      default:
        return lower_control(statement);
    }
  }

  void lower_control(const Statement& statement) {
    using Form = Statement::Form;
    switch (statement.form) {
      case Form::kIf:
        return lower_if(statement);
      case Form::kRepeat:
      case Form::kCount:
        return lower_count(statement);
      case Form::kForEach:
        return lower_for_each(statement);
      case Form::kBreak:
        if (!breaks_.empty()) builder().jump(breaks_.back());
        return;
      case Form::kReturn:
        return builder().ret(load(statement.operands[0]));
      case Form::kRaise:
        return builder().raise();
      case Form::kCall:
        return store(statement.operands[0], call(statement.number, statement.operands));
      case Form::kCallLambda:
        return lower_lambda(statement);
      case Form::kCallUnknown:
        return lower_unknown(statement);
      case Form::kRecur:
        return lower_recursion(statement);
      default:
        return;
    }
  }

  Register to(Register tensor, Register device) {
    return emit_.method("at::Tensor::to", {tensor, device});
  }
  Register device_of(uint32_t tensor) {
    return emit_.method("at::TensorBase::device", {load(tensor)}, {ir::TypeKind::kDevice, {}, {}});
  }
  Register part(uint32_t net, int64_t number) {
    return builder().field(load(net), part_name(number));
  }
  Register element(uint32_t list, Register position) {
    const Register at = ref(list);
    return builder().index(at, position);
  }
  void move_module(Register module, Device device) {
    emit_.method("torch::nn::Module::to", {module, emit_.device(device)}, kVoidType);
  }
  Register forward(uint32_t module, uint32_t input) {
    const std::vector<Register> values = {load(module), load(input)};
    if (variables_[module].kind == Kind::kLinear)
      return emit_.method("torch::nn::LinearImpl::forward", values);
    return emit_.call(ir::CallKind::kMethod, "Net::forward", "Net::forward", values, kTensorType);
  }
  Register calculate(const std::string& operation, Register left, Register right) {
    return emit_.direct(operation, {left, right}, kIntType);
  }

  Register condition(const Condition& condition) {
    using Form = Condition::Form;
    auto at = [&](size_t i) { return condition.operands[i]; };
    switch (condition.form) {
      case Form::kVariable:
        return load(at(0));
      case Form::kCompare: {
        const Register left = load(at(0));
        return emit_.direct(condition.operation, {left, emit_.number(condition.number)}, kBoolType);
      }
      case Form::kCompareTwo: {
        const Register left = load(at(0));
        return emit_.direct(condition.operation, {left, load(at(1))}, kBoolType);
      }
      case Form::kIsCuda:
        return emit_.method("at::TensorBase::is_cuda", {load(at(0))}, kBoolType);
      case Form::kSameDevice: {
        const Register left = device_of(at(0));
        return emit_.direct("op.eq", {left, device_of(at(1))}, kBoolType);
      }
      case Form::kUnknown:
        return emit_.call(ir::CallKind::kDirect, "decide", "decide", {}, kBoolType);
      case Form::kNot:
        return emit_.direct("op.not", {this->condition(condition.parts[0])}, kBoolType);
      case Form::kAnd:
      case Form::kOr:
        return short_circuit(condition);
    }
    return builder().constant(true);
  }

  // The second part is asked only where the first one leaves it open.
  Register short_circuit(const Condition& condition) {
    const std::string result = builder().new_slot("tmp", kBoolType, {});
    builder().store(result, this->condition(condition.parts[0]));
    const uint32_t second = builder().new_block(), after = builder().new_block();
    const bool asks_where_true = condition.form == Condition::Form::kAnd;
    const Register first = builder().load(result);
    builder().branch(first, asks_where_true ? second : after, asks_where_true ? after : second);
    builder().enter(second);
    builder().store(result, this->condition(condition.parts[1]));
    builder().jump(after);
    builder().enter(after);
    return builder().load(result);
  }

  // Goes on behind what was lowered, unless that has ended the path.
  void join(uint32_t block) {
    if (!builder().terminated()) builder().jump(block);
  }

  void lower_if(const Statement& statement) {
    const Register decided = condition(statement.condition);
    const uint32_t then = builder().new_block(), otherwise = builder().new_block();
    const uint32_t after = builder().new_block();
    builder().branch(decided, then, otherwise);
    builder().enter(then);
    lower(statement.body);
    join(after);
    builder().enter(otherwise);
    lower(statement.otherwise);
    join(after);
    builder().enter(after);
  }

  // `more` yields the condition, `next` goes on to the next iteration.
  template <typename More, typename Body, typename Next>
  void lower_loop(More more, Body body, Next next) {
    const uint32_t head = builder().new_block(), inside = builder().new_block();
    const uint32_t after = builder().new_block();
    builder().jump(head);
    builder().enter(head);
    builder().branch(more(), inside, after, /*loop=*/true);
    builder().enter(inside);
    breaks_.push_back(after);
    body();
    breaks_.pop_back();
    if (!builder().terminated()) {
      next();
      builder().jump(head);
    }
    builder().enter(after);
  }

  void lower_count(const Statement& statement) {
    const uint32_t counter = statement.operands[0];
    store(counter, emit_.number(0));
    lower_loop(
        [&] {
          const Register left = load(counter);
          const bool is_constant = statement.form == Statement::Form::kRepeat;
          const Register end =
              is_constant ? emit_.number(statement.number) : load(statement.operands[1]);
          return emit_.direct("op.lt", {left, end}, kBoolType);
        },
        [&] { lower(statement.body); },
        [&] { store(counter, calculate("op.add", load(counter), emit_.number(1))); });
  }

  void lower_for_each(const Statement& statement) {
    const std::string range = builder().new_slot("range", type_of(Kind::kList), {});
    const std::string turn = builder().new_slot("turn", kIntType, {});
    builder().bind(range, ref(statement.operands[1]));
    builder().store(turn, emit_.direct("loop.begin", {builder().ref(range)}, kIntType));
    auto of_range = [&](const char* what, ir::Type type) {
      const Register list = builder().ref(range);
      return emit_.direct(what, {list, builder().load(turn)}, std::move(type));
    };
    lower_loop([&] { return of_range("loop.more", kBoolType); },
               [&] {
                 store(statement.operands[0],
                       builder().copy(of_range("loop.element", kTensorType)));
                 lower(statement.body);
               },
               [&] {
                 builder().store(turn, emit_.direct("loop.next", {builder().load(turn)}, kIntType));
               });
  }

  Register call(size_t callee, const std::vector<uint32_t>& operands,
                Register last = ir::kNoRegister) {
    const std::vector<Variable>& variables = program_.functions[callee].variables;
    std::vector<Register> values;
    size_t next = 1;
    for (const Variable& variable : variables) {
      if (variable.storage == Storage::kByValue) {
        const bool is_copied = variable.kind == Kind::kList || variable.kind == Kind::kPair;
        const uint32_t given = operands[next++];
        values.push_back(is_copied ? builder().copy(ref(given)) : load(given));
      } else if (variable.storage == Storage::kByReference) {
        values.push_back(ref(operands[next++]));
      }
      if (variable.kind == Kind::kNumber && variable.storage == Storage::kByValue &&
          last != ir::kNoRegister) {
        values.back() = last;
      }
    }
    const std::string name = function_name(callee);
    return emit_.call(ir::CallKind::kDirect, name, name, std::move(values), kTensorType);
  }

  void lower_recursion(const Statement& statement) {
    const uint32_t left = statement.operands.back();
    Statement guarded;
    guarded.form = Statement::Form::kIf;
    guarded.condition = {Condition::Form::kCompare, {left}, "op.gt", 0, {}};
    const Register more = condition(guarded.condition);
    const uint32_t then = builder().new_block(), after = builder().new_block();
    builder().branch(more, then, after);
    builder().enter(then);
    const Register less = calculate("op.sub", load(left), emit_.number(1));
    store(statement.operands[0], call(number_, statement.operands, less));
    builder().jump(after);
    builder().enter(after);
  }

  void lower_unknown(const Statement& statement) {
    std::vector<Register> values;
    for (uint32_t each : statement.operands)
      values.push_back(is_module(variables_[each].kind) ? load(each) : ref(each));
    emit_.call(ir::CallKind::kDirect, statement.is_project_code ? "setup" : "house::setup",
               statement.is_project_code ? "setup" : "", std::move(values), kVoidType);
  }

  std::vector<uint32_t> captured() const {
    std::vector<uint32_t> variables;
    for (uint32_t each : uses_of(source_).variables) {
      if (each < source_.variables.size()) variables.push_back(each);
    }
    return variables;
  }
  void lower_lambda(const Statement& statement) {
    ir::Function lambda;
    lambda.name = "lambda";
    lambda.key = "lambda" + std::to_string(number_) + "." + std::to_string(lambdas_.size());
    lambda.kind = ir::FunctionKind::kLambda;
    lambda.result = kTensorType;
    lambdas_.push_back({});
    const size_t place = lambdas_.size() - 1;
    FunctionLowering(program_, number_, lambda, lambdas_).lower_lambda_body(statement.body);
    std::vector<Register> captures;
    for (uint32_t each : captured()) captures.push_back(ref(each));
    const Register closure = builder().closure(lambda.key, std::move(captures));
    emit_.call(ir::CallKind::kIndirect, lambda.name, lambda.key, {closure}, kVoidType);
    lambdas_[place] = std::move(lambda);
  }

  const SourceProgram& program_;
  const SourceFunction& source_;
  size_t number_;
  ir::Function& function_;
  std::vector<ir::Function>& lambdas_;
  Emitter emit_;
  std::vector<Variable> variables_;  // the globals last
  std::vector<std::string> names_;
  std::vector<uint32_t> breaks_;  // where loops go on
};

// The classes that all programs have, and what they call.
constexpr std::string_view kClasses = R"ir(file "random.cc"
class "Net" key "Net" module : module "torch::nn::Module" {
  field first: module "torch::nn::LinearImpl"
  field second: module "torch::nn::LinearImpl"
  field shift: tensor
  method Net key "Net::Net" arity 0 required 0 constructor
  method forward key "Net::forward" arity 1 required 1
}
class "Pair" key "Pair" {
  field x: tensor
  field y: tensor
  method Pair key "Pair::Pair" arity 0 required 0 constructor
}
func "Pair::Pair" key "Pair::Pair" constructor class "Pair" (this: record "Pair" ref) -> void {
  slot this: record "Pair"
bb0:
  %0 = const none
  %1 = load this
  %2 = field %1, "x"
  assign %2, %0
  %3 = const none
  %4 = field %1, "y"
  assign %4, %3
  return
}
func "Net::Net" key "Net::Net" constructor class "Net" (this: module "Net" ref) -> void {
  slot this: module "Net"
bb0:
  %0 = const 2
  %1 = call construct "torch::nn::LinearImpl"(%0, %0) -> module "torch::nn::LinearImpl"
  %2 = load this
  %3 = field %2, "first"
  assign %3, %1
  %4 = const "first"
  %5 = call method "torch::nn::Module::register_module"(%2, %4, %3) -> module "torch::nn::LinearImpl" discarded
  %6 = call construct "torch::nn::LinearImpl"(%0, %0) -> module "torch::nn::LinearImpl"
  %7 = field %2, "second"
  assign %7, %6
  %8 = const "second"
  %9 = call method "torch::nn::Module::register_module"(%2, %8, %7) -> module "torch::nn::LinearImpl" discarded
  %10 = call direct "list"(%0, %0) -> container<int>
  %11 = call direct "torch::ones"(%10) -> tensor
  %12 = const "shift"
  %13 = call method "torch::nn::Module::register_buffer"(%2, %12, %11) -> tensor
  %14 = field %2, "shift"
  assign %14, %13
  return
}
func "Net::forward" key "Net::forward" method class "Net" (this: module "Net" ref, x: tensor) -> tensor {
  slot this: module "Net"
  slot x: tensor
bb0:
  %0 = load this
  %1 = field %0, "first"
  %2 = load x
  %3 = call method "torch::nn::LinearImpl::forward"(%1, %2) -> tensor
  %4 = field %0, "shift"
  %5 = call direct "at::operator+"(%3, %4) -> tensor
  %6 = field %0, "second"
  %7 = call method "torch::nn::LinearImpl::forward"(%6, %5) -> tensor
  return %7
}
)ir";

std::set<int64_t> called_functions(const SourceProgram& program) {
  std::set<int64_t> called{0};
  // Calls lead to later functions only.
  for (int64_t each : called) called.merge(uses_of(program.functions[each]).functions);
  return called;
}

void add_global(const Variable& variable, size_t number, ir::Unit& unit) {
  ir::Global global;
  global.slot = global_name(number);
  global.name = "g" + std::to_string(number);
  global.type = type_of(variable.kind);
  if (!variable.is_extern) {
    global.initializer = global.name + "$init";
    SourceProgram initial;
    initial.functions.emplace_back().variables.push_back(variable);
    ir::Function function;
    function.key = function.name = global.initializer;
    function.kind = ir::FunctionKind::kInitializer;
    function.result = global.type;
    FunctionLowering(initial, 0, function, unit.functions).lower_function();
    unit.functions.push_back(std::move(function));
  }
  unit.globals.push_back(std::move(global));
}

// Ranges are places in messages and reports, so each instruction has one of its own.
void number_lines(ir::Unit& unit) {
  uint32_t line = 0;
  for (ir::Function& function : unit.functions) {
    function.range = {0, ++line, 1, line, 2};
    for (ir::Slot& slot : function.slots) slot.range = function.range;
    for (ir::Block& block : function.blocks) {
      for (ir::Instruction& instruction : block.instructions) {
        ++line;
        instruction.range = {0, line, 1, line, 2};
      }
    }
  }
}

}  // namespace

ir::Unit lower(const SourceProgram& program) {
  ir::Unit unit = ir::parse(kClasses).unit;
  for (size_t i = 0; i < program.globals.size(); ++i) add_global(program.globals[i], i, unit);
  const std::set<int64_t> called = called_functions(program);
  for (size_t i = 0; i < program.functions.size(); ++i) {
    if (!called.contains(static_cast<int64_t>(i))) continue;
    ir::Function function;
    function.key = function.name = function_name(i);
    function.is_entry = i == 0;
    function.result = kTensorType;
    std::vector<ir::Function> lambdas;
    FunctionLowering(program, i, function, lambdas).lower_function();
    unit.functions.push_back(std::move(function));
    for (ir::Function& lambda : lambdas) unit.functions.push_back(std::move(lambda));
  }
  number_lines(unit);
  return unit;
}

}  // namespace placecheck::oracle
