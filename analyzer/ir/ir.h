// The placement IR: what a program does to tensors, modules and devices, in no language's words.
//
// A front end lowers one source file to a Unit: functions over named slots and block-local
// registers. Library calls keep the spelled name of what is called ("at::Tensor::to"); what such a
// name means is the models' business. An unresolved call is legal and means "unknown".
//
// Plain values throughout: a Unit owns all that it holds, is freely copied, and may be read by
// several threads once built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace placecheck::ir {

// A range in one source file; lines and columns count from 1, the end is exclusive. Line 0: none.
struct Range {
  uint32_t file = 0;  // index into Unit::files
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t end_line = 0;
  uint32_t end_column = 0;

  bool valid() const { return line != 0; }
  bool operator==(const Range&) const = default;
};

// What kind of value a slot, a field or a result holds, as far as the front end knows.
enum class TypeKind : uint8_t {
  kUnknown,
  kVoid,
  kBool,
  kInt,
  kFloat,
  kString,
  kDevice,
  kOptions,  // tensor options: dtype, device, ...
  kTensor,
  kModule,     // a handle to a neural-network module; name: its class
  kRecord,     // an object held by value; name: its class
  kPointer,    // a pointer or handle to what arguments[0] says
  kContainer,  // list, map, optional, ...: arguments are the element types
  kTuple,      // a fixed number of values of the types in arguments
  kFunction,
};

struct Type {
  TypeKind kind = TypeKind::kUnknown;
  std::string name;  // kModule, kRecord: the key of the class, or its spelled name
  std::vector<Type> arguments;

  bool operator==(const Type&) const = default;
};

struct None {
  bool operator==(const None&) const = default;
};
// A device literal as PyTorch prints it: "cpu", "cuda", "cuda:1".
struct DeviceLiteral {
  std::string text;
  bool operator==(const DeviceLiteral&) const = default;
};
// None stands for null, nullopt, an undefined value.
using Literal = std::variant<None, bool, int64_t, double, std::string, DeviceLiteral>;

using Register = uint32_t;
inline constexpr Register kNoRegister = ~Register{0};

enum class Opcode : uint8_t {
  kConst,    // %r = const LITERAL
  kLoad,     // %r = load SLOT                  the value in a variable
  kStore,    // store SLOT, %v                  a variable takes a value
  kBind,     // bind SLOT, %address             the variable becomes another name of that address
  kRef,      // %r = ref SLOT                   the address of a variable
  kField,    // %r = field %object, "name"      the address of a field
  kIndex,    // %r = index %object, %i          the address of an element (also of a tuple)
  kAssign,   // assign %address, %v             store through an address
  kCopy,     // %r = copy %v                    read through an address; a record held by value is
             // cloned
  kCall,     // %r = call NAME(%a, ...)         see Call
  kClosure,  // %r = closure FUNCTION(%c, ...)  a function value with its captures
  kExit,     // exit SLOT                       the variable's scope ends (guards restore here)
  kJump,     // jump BLOCK
  kBranch,   // branch %c, THEN, ELSE
  kReturn,   // return [%v]
  kRaise,    // raise                           control does not go on
};

enum class CallKind : uint8_t {
  kDirect,     // function `key` if a unit defines it, else the library's `name`
  kMethod,     // the same with the receiver as argument 0; an override in its class goes first
  kConstruct,  // a new object of class `key` (`name` as spelled), from the arguments
  kIndirect,   // argument 0 is the function value
};

// One argument of a call. `name` is empty for a positional one.
struct Argument {
  Register value = kNoRegister;
  std::string name;
  Range range;  // as written, for messages and fixes
  // A pointer that is given by value: its variable stays as it is, whatever the callee does.
  bool copied = false;
  // That pointer is an element or a field, which is read to give it.
  bool fetched = false;
};

struct Call {
  CallKind kind = CallKind::kDirect;
  std::string name;  // qualified as spelled: "at::Tensor::to", "NetImpl::forward"
  std::string key;   // of the function (or class, for kConstruct) where the project has it
  std::vector<Argument> arguments;
  bool discarded = false;  // the result is not used
  bool caught = false;     // the function catches what it throws, and recovers
  Type type;               // of the result
};

struct Instruction {
  Opcode opcode = Opcode::kConst;
  Register result = kNoRegister;
  std::vector<Register> operands;  // in the order of the comments above; for kCall see `call`
  std::string symbol;              // SLOT, field name, or the FUNCTION of a closure
  Literal literal;                 // kConst
  std::vector<uint32_t> targets;   // kJump: one; kBranch: two
  bool loop = false;               // kBranch: decides whether a loop runs once more
  bool taken = false;  // kRef, kField, kIndex: the address itself is meant, not what is there
  Call call;           // kCall
  Range range;
};

struct Block {
  std::vector<Instruction> instructions;  // the last one, and only it, ends the block
};

struct Slot {
  std::string name;
  Type type;
  Range range;  // of the declaration
  bool operator==(const Slot&) const = default;
};

struct Parameter {
  std::string name;
  Type type;
  bool by_reference = false;     // the slot is bound to an address argument rather than stored
  std::string default_function;  // key of a function without parameters that yields the default
  Range range;
};

enum class FunctionKind : uint8_t { kFunction, kMethod, kConstructor, kLambda, kInitializer };

// Block 0 is the entry. A method's or constructor's first parameter is "this". A lambda's first
// `captures` parameters are its captures.
struct Function {
  std::string key;   // unique in the program; equal keys are the same function
  std::string name;  // for people: "NetImpl::forward"
  FunctionKind kind = FunctionKind::kFunction;
  std::string class_key;  // of the class of a method or constructor
  std::vector<Parameter> parameters;
  uint32_t captures = 0;
  std::vector<Slot> slots;
  Type result;
  std::vector<Block> blocks;
  Range range;
  bool is_entry = false;    // a program starts here
  bool is_exported = true;  // callable from other units
  bool is_partial =
      false;  // something in it did not parse; that, and what it may change, is unknown
};

struct Field {
  std::string name;
  Type type;
  Range range;
};

struct Method {
  std::string name;       // "forward"
  std::string key;        // of the function
  uint32_t arity = 0;     // without `this`
  uint32_t required = 0;  // of these, how many have no default
  bool is_constructor = false;
};

struct Class {
  std::string key;
  std::string name;         // for people
  std::vector<Type> bases;  // project classes by key, library classes by spelled name
  std::vector<Field> fields;
  std::vector<Method> methods;  // own ones only
  bool is_module = false;       // derives, however far, from a neural-network module
  Range range;
};

// A variable outside any function, and static members and locals. `initializer` is the key of a
// function that yields the first value, or empty.
struct Global {
  std::string slot;  // "@" and a key
  std::string name;
  Type type;
  std::string initializer;
  Range range;
};

// One source file, lowered.
struct Unit {
  std::vector<std::string> files;  // files[0] is the file itself
  std::vector<Function> functions;
  std::vector<Class> classes;
  std::vector<Global> globals;
};

bool is_terminator(Opcode opcode);

// The instruction of `block` whose result is `value`; null if that was made elsewhere.
const Instruction* find_definition(const Block& block, Register value);
// Of those that yield addresses: kRef, kField, kIndex.
bool is_address(Opcode opcode);
// A method of a receiver that the front end had no type for: known by its bare name alone.
bool is_untyped(const Call& call);
// A value of this kind has a place itself, whatever it contains.
bool has_place(TypeKind kind);
// "to" of "at::Tensor::to"; a bare name is itself. A view into `qualified`.
std::string_view last_component(std::string_view qualified);

// By its name.
bool is_python(std::string_view file);

}  // namespace placecheck::ir
