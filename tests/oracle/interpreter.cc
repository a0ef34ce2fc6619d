#include "tests/oracle/interpreter.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace placecheck::oracle {
namespace {

constexpr size_t kMaxSteps = 4'000;
constexpr unsigned kMaxDepth = 24;
// What numbers from outside may be. Programs compare them with what lies between, and add to them.
constexpr int64_t kLeastInput = -3;
constexpr uint32_t kInputs = 8;

struct Cell;
struct Object;
using CellPtr = std::shared_ptr<Cell>;
using ObjectPtr = std::shared_ptr<Object>;

// Handles share it, as libtorch's tensors do.
struct TensorData {
  Device device = Device::kCpu;
};
using Tensor = std::shared_ptr<TensorData>;

struct Closure {
  const ir::Function* function = nullptr;
  std::vector<CellPtr> captures;
};

using Value = std::variant<std::monostate, bool, int64_t, Device, Tensor, ObjectPtr, CellPtr,
                           std::shared_ptr<Closure>>;

struct Cell {
  Value value;
};

// A record, a module or a list.
struct Object {
  const ir::Class* type = nullptr;
  bool is_by_value = false;  // a copy of the variable is a copy of the object
  std::map<std::string, CellPtr, std::less<>> fields;
  std::vector<CellPtr> elements;
  std::vector<ObjectPtr> children;  // registered
  std::vector<Tensor> state;        // registered parameters and buffers
};

// The run can't be continued: its program has no meaning, or is too long.
struct Abandoned {};
// An exception of the program, or its end.
struct Ended {};

class Interpreter {
 public:
  Interpreter(const ir::Program& program, Choices& choices)
      : program_(program), choices_(choices) {}

  Run run() {
    try {
      for (const ir::Unit* unit : program_.units) {
        for (const ir::Global& global : unit->globals) initialize_global(global);
      }
      const ir::Function& entry = *program_.entries().at(0);
      std::vector<Value> arguments;
      for (const ir::Parameter& parameter : entry.parameters)
        arguments.push_back(from_outside(parameter.type));
      call(entry, arguments);
    } catch (const Abandoned&) {
      run_.is_whole = false;
    } catch (const Ended&) {
    }
    return std::move(run_);
  }

 private:
  struct Frame {
    const ir::Function& function;
    std::map<std::string, CellPtr, std::less<>> slots;
    std::map<ir::Register, Value> registers;
    std::set<const ir::Instruction*> running_loops;
  };
  using Arguments = std::vector<Value>;
  using LibraryCall = Value (Interpreter::*)(const Arguments&);
  static const std::map<std::string_view, LibraryCall> kLibrary;

  Value from_outside(const ir::Type& type) {
    switch (type.kind) {
      case ir::TypeKind::kBool:
        return choices_.choose(2) == 1;
      case ir::TypeKind::kInt:
        return kLeastInput + static_cast<int64_t>(choices_.choose(kInputs));
      case ir::TypeKind::kTensor:
        return tensor_on(static_cast<Device>(choices_.choose(kDevices)));
      default:
        return {};
    }
  }

  static Value tensor_on(Device device) { return std::make_shared<TensorData>(TensorData{device}); }

  // What a value is, behind the addresses that lead to it.
  static const Value& read(const Value& value) {
    const Value* at = &value;
    while (const CellPtr* cell = std::get_if<CellPtr>(at)) at = &(*cell)->value;
    return *at;
  }
  template <typename T>
  static const T& as(const Value& value) {
    const T* found = std::get_if<T>(&read(value));
    if (!found) throw Abandoned();
    return *found;
  }
  // The last cell that addresses lead to.
  static const CellPtr& cell_of(const Value& value) {
    const CellPtr* cell = std::get_if<CellPtr>(&value);
    if (!cell) throw Abandoned();
    while (const CellPtr* next = std::get_if<CellPtr>(&(*cell)->value)) cell = next;
    return *cell;
  }

  static CellPtr cell(Value value) { return std::make_shared<Cell>(Cell{std::move(value)}); }

  static Value copy(const Value& from) {
    const Value& value = read(from);
    const ObjectPtr* object = std::get_if<ObjectPtr>(&value);
    if (!object || !(*object)->is_by_value) return value;
    auto made = std::make_shared<Object>(**object);
    for (auto& [name, field] : made->fields) field = cell(copy(field->value));
    for (CellPtr& element : made->elements) element = cell(copy(element->value));
    return made;
  }

  CellPtr& slot(Frame& frame, const std::string& name) {
    CellPtr& found = name.starts_with('@') ? globals_[name] : frame.slots[name];
    if (!found) found = cell({});
    return found;
  }
  void initialize_global(const ir::Global& global) {
    const ir::Function* initializer =
        global.initializer.empty() ? nullptr : program_.find_function(global.initializer, nullptr);
    globals_[global.slot] = cell(initializer ? call(*initializer, {}) : from_outside(global.type));
  }

  Value call(const ir::Function& function, const Arguments& arguments) {
    if (++depth_ > kMaxDepth || arguments.size() != function.parameters.size()) throw Abandoned();
    Frame frame{function, {}, {}, {}};
    run_.entered.insert(&function);
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ir::Parameter& parameter = function.parameters[i];
      const CellPtr* address = std::get_if<CellPtr>(&arguments[i]);
      frame.slots[parameter.name] =
          parameter.by_reference && address ? cell_of(arguments[i]) : cell(copy(arguments[i]));
    }
    Value result = execute(frame);
    --depth_;
    return result;
  }

  Value execute(Frame& frame) {
    uint32_t block = 0;
    while (true) {
      for (const ir::Instruction& instruction : frame.function.blocks[block].instructions) {
        if (++steps_ > kMaxSteps) throw Abandoned();
        switch (instruction.opcode) {
          case ir::Opcode::kReturn:
            return instruction.operands.empty() ? Value()
                                                : frame.registers.at(instruction.operands[0]);
          case ir::Opcode::kRaise:
            throw Ended();
          case ir::Opcode::kJump:
            block = instruction.targets[0];
            break;
          case ir::Opcode::kBranch:
            block = branch(instruction, frame);
            break;
          default:
            execute(instruction, frame);
        }
      }
    }
  }

  uint32_t branch(const ir::Instruction& instruction, Frame& frame) {
    const bool is_taken = as<bool>(frame.registers.at(instruction.operands[0]));
    if (instruction.loop && is_taken) frame.running_loops.insert(&instruction);
    if (instruction.loop && !is_taken && frame.running_loops.erase(&instruction) == 0)
      run_.is_as_assumed = false;
    return instruction.targets[is_taken ? 0 : 1];
  }

  void execute(const ir::Instruction& instruction, Frame& frame) {
    line_ = instruction.range.line;
    Value result = result_of(instruction, frame);
    if (instruction.result == ir::kNoRegister) return;
    const bool is_variable =
        instruction.opcode == ir::Opcode::kLoad && !instruction.symbol.starts_with('@');
    const bool is_result = instruction.opcode == ir::Opcode::kCall && !instruction.call.discarded;
    if (is_variable || is_result) note_place(instruction.range.line, result);
    frame.registers[instruction.result] = std::move(result);
  }
  void note_place(Line line, const Value& value) {
    const Tensor* tensor = std::get_if<Tensor>(&read(value));
    if (tensor && run_.failures.empty() && run_.is_as_assumed)
      run_.places[line].insert((*tensor)->device);
  }

  Value result_of(const ir::Instruction& instruction, Frame& frame) {
    auto operand = [&](size_t i) -> const Value& {
      return frame.registers.at(instruction.operands[i]);
    };
    switch (instruction.opcode) {
      case ir::Opcode::kConst:
        return literal(instruction.literal);
      case ir::Opcode::kLoad:
        return slot(frame, instruction.symbol)->value;
      case ir::Opcode::kStore:
        slot(frame, instruction.symbol)->value = operand(0);
        return {};
      case ir::Opcode::kBind:
        slot(frame, instruction.symbol) = cell_of(operand(0));
        return {};
      case ir::Opcode::kRef:
        return slot(frame, instruction.symbol);
      case ir::Opcode::kField:
        return field(operand(0), instruction.symbol);
      case ir::Opcode::kIndex:
        return element(operand(0), as<int64_t>(operand(1)));
      case ir::Opcode::kAssign:
        cell_of(operand(0))->value = operand(1);
        return {};
      case ir::Opcode::kCopy:
        return copy(operand(0));
      case ir::Opcode::kCall:
        return call(instruction.call, frame);
      case ir::Opcode::kClosure:
        return closure(instruction, frame);
      case ir::Opcode::kExit:
        frame.slots.erase(instruction.symbol);
        return {};
      default:
        throw Abandoned();
    }
  }

  static Value literal(const ir::Literal& literal) {
    if (const bool* truth = std::get_if<bool>(&literal)) return *truth;
    if (const int64_t* number = std::get_if<int64_t>(&literal)) return *number;
    if (const auto* device = std::get_if<ir::DeviceLiteral>(&literal)) {
      for (Device each : {Device::kCpu, Device::kCuda0, Device::kCuda1}) {
        if (device->text == name_of(each)) return each;
      }
    }
    return {};
  }

  static Value field(const Value& of, const std::string& name) {
    CellPtr& field = as<ObjectPtr>(of)->fields[name];
    if (!field) field = cell({});
    return field;
  }
  static Value element(const Value& of, int64_t position) {
    const std::vector<CellPtr>& elements = as<ObjectPtr>(of)->elements;
    if (position < 0 || static_cast<size_t>(position) >= elements.size()) throw Abandoned();
    return elements[position];
  }

  Value closure(const ir::Instruction& instruction, Frame& frame) {
    auto made = std::make_shared<Closure>();
    made->function = program_.find_function(instruction.symbol, nullptr);
    if (!made->function) throw Abandoned();
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      const Value& captured = frame.registers.at(instruction.operands[i]);
      const bool by_reference = made->function->parameters[i].by_reference;
      made->captures.push_back(by_reference ? cell_of(captured) : cell(copy(captured)));
    }
    return made;
  }

  Value call(const ir::Call& call, Frame& frame) {
    Arguments arguments;
    for (const ir::Argument& argument : call.arguments)
      arguments.push_back(frame.registers.at(argument.value));
    if (call.kind == ir::CallKind::kIndirect) return call_closure(arguments);
    if (call.kind == ir::CallKind::kConstruct) return construct(call, arguments);
    if (const ir::Function* function = program_.find_function(call.key, nullptr)) {
      if (call.kind == ir::CallKind::kMethod) forwards_.push_back(line_);
      Value result = this->call(*function, arguments);
      if (call.kind == ir::CallKind::kMethod) forwards_.pop_back();
      return result;
    }
    const auto known = kLibrary.find(call.name);
    return known == kLibrary.end() ? call_unknown(call, arguments)
                                   : (this->*known->second)(arguments);
  }

  Value call_closure(const Arguments& arguments) {
    const auto closure = as<std::shared_ptr<Closure>>(arguments.at(0));
    Arguments all(closure->captures.begin(), closure->captures.end());
    all.insert(all.end(), arguments.begin() + 1, arguments.end());
    return call(*closure->function, all);
  }

  Value construct(const ir::Call& call, const Arguments& arguments) {
    auto made = std::make_shared<Object>();
    made->type = program_.find_class(call.key, nullptr);
    made->is_by_value = made->type && !made->type->is_module;
    if (call.name == "torch::nn::LinearImpl") {
      for (int i = 0; i < 2; ++i) made->state.push_back(as<Tensor>(tensor_on(Device::kCpu)));
    }
    if (!made->type) return made;
    for (const ir::Method& method : made->type->methods) {
      if (!method.is_constructor) continue;
      Arguments all{made};
      all.insert(all.end(), arguments.begin(), arguments.end());
      this->call(*program_.find_function(method.key, nullptr), all);
    }
    return made;
  }

  // Unknown code may move what it is given, and code of the program the globals as well, to any
  // device, or leave it alone.
  Value call_unknown(const ir::Call& call, const Arguments& arguments) {
    for (const Value& argument : arguments) {
      const Value& value = read(argument);
      if (const ObjectPtr* object = std::get_if<ObjectPtr>(&value)) {
        change(**object);
      } else if (std::holds_alternative<Tensor>(value) &&
                 std::holds_alternative<CellPtr>(argument)) {
        change(*cell_of(argument));
      }
    }
    if (!call.key.empty()) change_globals();
    return from_outside(call.type);
  }
  void change_globals() {
    const std::optional<Device> device = globals_.empty() ? std::nullopt : chosen_device();
    if (!device) return;
    for (auto& [name, global] : globals_) {
      const Value& value = read(global->value);
      if (const ObjectPtr* object = std::get_if<ObjectPtr>(&value)) move(**object, *device);
      if (std::holds_alternative<Tensor>(value)) global->value = tensor_on(*device);
    }
  }
  std::optional<Device> chosen_device() {
    const uint32_t chosen = choices_.choose(kDevices + 1);
    return chosen == kDevices ? std::nullopt : std::optional(static_cast<Device>(chosen));
  }
  void change(Object& object) {
    const std::optional<Device> device = chosen_device();
    if (!device) return;
    move(object, *device);
    for (const CellPtr& element : object.elements) element->value = tensor_on(*device);
  }
  void change(Cell& cell) {
    if (const std::optional<Device> device = chosen_device()) cell.value = tensor_on(*device);
  }

  static void move(Object& module, Device device) {
    for (const Tensor& tensor : module.state) tensor->device = device;
    for (const ObjectPtr& child : module.children) move(*child, device);
  }

  // Operations on tensors.

  Value make_tensor(const Arguments& arguments) {
    return tensor_on(arguments.size() < 2 ? Device::kCpu : as<Device>(arguments[1]));
  }
  Value tensor_to(const Arguments& arguments) {
    const Tensor tensor = as<Tensor>(arguments.at(0));
    const auto device = as<Device>(arguments.at(1));
    return tensor->device == device ? Value(tensor) : tensor_on(device);
  }
  Value device_of(const Arguments& arguments) { return as<Tensor>(arguments.at(0))->device; }
  Value is_cuda(const Arguments& arguments) {
    return as<Device>(device_of(arguments)) != Device::kCpu;
  }
  // Where the result of an operation on both is. Of one that fails, it may be with either operand.
  Device meet(Device one, Device other) {
    if (one == other) return one;
    run_.failures.insert(line_);
    run_.failures.insert(forwards_.begin(), forwards_.end());
    return choices_.choose(2) == 0 ? one : other;
  }
  Value add(const Arguments& arguments) {
    return tensor_on(
        meet(as<Tensor>(arguments.at(0))->device, as<Tensor>(arguments.at(1))->device));
  }
  Value add_in_place(const Arguments& arguments) {
    add(arguments);
    return arguments.at(0);
  }

  // Operations on modules.

  Value register_module(const Arguments& arguments) {
    as<ObjectPtr>(arguments.at(0))->children.push_back(as<ObjectPtr>(arguments.at(2)));
    return arguments.at(2);
  }
  Value register_buffer(const Arguments& arguments) {
    // libtorch keeps the tensor that it is given, and moves its data.
    as<ObjectPtr>(arguments.at(0))->state.push_back(as<Tensor>(arguments.at(2)));
    return arguments.at(2);
  }
  Value module_to(const Arguments& arguments) {
    move(*as<ObjectPtr>(arguments.at(0)), as<Device>(arguments.at(1)));
    return {};
  }
  Value linear_forward(const Arguments& arguments) {
    Device at = as<Tensor>(arguments.at(1))->device;
    for (const Tensor& tensor : as<ObjectPtr>(arguments.at(0))->state)
      at = meet(at, tensor->device);
    return tensor_on(at);
  }

  // Lists.

  Value list(const Arguments& arguments) {
    auto made = std::make_shared<Object>();
    made->is_by_value = true;
    for (const Value& argument : arguments) made->elements.push_back(cell(copy(argument)));
    return made;
  }
  Value push_back(const Arguments& arguments) {
    as<ObjectPtr>(arguments.at(0))->elements.push_back(cell(copy(arguments.at(1))));
    return {};
  }
  Value clear(const Arguments& arguments) {
    as<ObjectPtr>(arguments.at(0))->elements.clear();
    return {};
  }
  Value loop_begin(const Arguments&) { return int64_t{0}; }
  Value loop_next(const Arguments& arguments) { return as<int64_t>(arguments.at(0)) + 1; }
  Value loop_more(const Arguments& arguments) {
    const size_t size = as<ObjectPtr>(arguments.at(0))->elements.size();
    return as<int64_t>(arguments.at(1)) < static_cast<int64_t>(size);
  }
  Value loop_element(const Arguments& arguments) {
    return element(arguments.at(0), as<int64_t>(arguments.at(1)));
  }

  // Numbers and truth.

  template <typename Operation>
  Value compare(const Arguments& arguments) {
    const Value &left = read(arguments.at(0)), &right = read(arguments.at(1));
    if (const Device* device = std::get_if<Device>(&left))
      return Operation()(static_cast<int>(*device), static_cast<int>(as<Device>(right)));
    if (const bool* truth = std::get_if<bool>(&left))
      return Operation()(static_cast<int>(*truth), static_cast<int>(as<bool>(right)));
    return Operation()(as<int64_t>(left), as<int64_t>(right));
  }
  template <typename Operation>
  Value calculate(const Arguments& arguments) {
    return Operation()(as<int64_t>(arguments.at(0)), as<int64_t>(arguments.at(1)));
  }
  Value negate(const Arguments& arguments) { return !as<bool>(arguments.at(0)); }

  const ir::Program& program_;
  Choices& choices_;
  Run run_;
  std::map<std::string, CellPtr, std::less<>> globals_;
  Line line_ = 0;               // of the instruction at hand
  std::vector<Line> forwards_;  // of the calls in progress of modules of the program
  size_t steps_ = 0;
  unsigned depth_ = 0;
};

const std::map<std::string_view, Interpreter::LibraryCall> Interpreter::kLibrary = {
    {"torch::ones", &Interpreter::make_tensor},
    {"at::Tensor::to", &Interpreter::tensor_to},
    {"at::TensorBase::device", &Interpreter::device_of},
    {"at::TensorBase::is_cuda", &Interpreter::is_cuda},
    {"at::operator+", &Interpreter::add},
    {"at::Tensor::add_", &Interpreter::add_in_place},
    {"torch::nn::Module::register_module", &Interpreter::register_module},
    {"torch::nn::Module::register_buffer", &Interpreter::register_buffer},
    {"torch::nn::Module::to", &Interpreter::module_to},
    {"torch::nn::LinearImpl::forward", &Interpreter::linear_forward},
    {"list", &Interpreter::list},
    {"std::vector::push_back", &Interpreter::push_back},
    {"std::vector::clear", &Interpreter::clear},
    {"loop.begin", &Interpreter::loop_begin},
    {"loop.next", &Interpreter::loop_next},
    {"loop.more", &Interpreter::loop_more},
    {"loop.element", &Interpreter::loop_element},
    {"op.eq", &Interpreter::compare<std::equal_to<>>},
    {"op.ne", &Interpreter::compare<std::not_equal_to<>>},
    {"op.lt", &Interpreter::compare<std::less<>>},
    {"op.le", &Interpreter::compare<std::less_equal<>>},
    {"op.gt", &Interpreter::compare<std::greater<>>},
    {"op.ge", &Interpreter::compare<std::greater_equal<>>},
    {"op.add", &Interpreter::calculate<std::plus<>>},
    {"op.sub", &Interpreter::calculate<std::minus<>>},
    {"op.not", &Interpreter::negate},
};

}  // namespace

const char* name_of(Device device) {
  static constexpr const char* kNames[kDevices] = {"cpu", "cuda:0", "cuda:1"};
  return kNames[static_cast<size_t>(device)];
}

uint32_t Choices::choose(uint32_t alternatives) {
  if (next_ == choices_.size()) choices_.push_back({0, alternatives});
  return choices_[next_++].taken;
}

bool Choices::advance() {
  next_ = 0;
  while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().alternatives)
    choices_.pop_back();
  if (choices_.empty()) return false;
  ++choices_.back().taken;
  return true;
}

Run run(const ir::Program& program, Choices& choices) {
  return Interpreter(program, choices).run();
}

}  // namespace placecheck::oracle
