// What the analyzer knows of each tensor operation: its tensor arguments, what it writes, how it
// checks devices, where its result lives and of what rank it is.
//
// The rows are derived from the framework's registered schemas (dump_schemas.cc) and its
// native_functions.yaml by generate_operators.py; ranks, spellings and the few exceptions that no
// schema states are curated in generate_operators.py, aliases.cc and tensor_queries.cc.
//
// Ownership: everything returned is static and constant. Threads: no state, call from anywhere.
// Errors: an unknown name is a null pointer or an empty optional, and means "unknown" to callers.

#ifndef ANALYZER_MODELS_OPERATORS_OPERATORS_H_
#define ANALYZER_MODELS_OPERATORS_OPERATORS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace placecheck::models {

// How the operation reacts to operands on different devices.
enum class DeviceRule : std::uint8_t {
  kNone,            // never compares: no operand, one operand, or operands that may be anywhere
  kTensorIterator,  // all equal, but a 0-dim tensor on the CPU that is only read mixes with others
  kExactSame,       // all equal, 0-dim tensors too
  kComposite,       // made of other operations, which check: unequal operands fail there, although
                    // one of 0 dims on the CPU may be let through
  kIndexing,        // self and values as kTensorIterator; read indices on self's device or the CPU
  kCopy,            // moves data across devices on purpose: copy_, to, cpu, cuda, set_data
};

// Where the tensors of the result live.
enum class ResultPlace : std::uint8_t {
  kOperands,       // on the device its operands agree on; on the first's where nothing compares
  kSelf,           // on the device of `self`, or it is `self` (in-place)
  kOptions,        // factory: on the device asked for, else the default device: zeros, tensor
  kOptionsOrSelf,  // factory: on the device asked for, else on self's: zeros_like, new_zeros
  kTransfer,       // on the device asked for by an argument or the name: to, cpu, cuda
  kOther,          // on the device of the second tensor: type_as
  kHost,           // no tensor: a number, a string, a size, nothing
  kOut,            // only written arguments: the out= spellings
};

enum class ResultKind : std::uint8_t {
  kVoid,
  kScalar,      // no tensor: a number, bool, string, device...
  kTensor,      // one
  kTuple,       // `result_count` tensors; some may be lists of them
  kTensorList,  // any number
};

enum class ResultRank : std::uint8_t {
  kUnknown,
  kScalar,       // always 0-dim
  kNonScalar,    // never 0-dim
  kProduct,      // not 0-dim, unless both operands are vectors: matmul, linear
  kElementwise,  // the highest rank of the operands
  kFromSizes,    // the number of sizes given: zeros({2, 3}), view, reshape
  kSameAsSelf,
  kReduction,  // 0-dim when no dim argument is given (for losses: when the reduction is not none)
  kFromData,   // the nesting of the data: torch::tensor(1.0) is 0-dim, torch::tensor({1, 2}) is not
};

struct TensorArgument {
  std::string_view name;
  std::uint8_t position;  // among the arguments of the schema, self included
  bool is_list = false;
  bool is_optional = false;
  bool is_written = false;  // in place, or out=
  bool is_out = false;      // out=: first in the C++ spelling x_out, last in x_outf
  bool is_free = false;     // takes no part in the device check: index tensors, lengths
};

// One overload that takes or returns tensors. Overloads that differ in nothing told here are one.
struct Signature {
  std::string_view overload;  // as the framework names it: "Tensor", "dim_IntList", "out", ""
  std::span<const TensorArgument> tensors;
  std::uint8_t argument_count;
  DeviceRule device_rule;
  ResultPlace result_place;
  ResultRank result_rank;
  ResultKind result_kind;
  std::uint8_t result_count;  // tensors or lists of them, for kTuple; else 1 or 0
  // Schema position of dtype, layout, device, pin_memory; -1 without them. In C++ all four are
  // one TensorOptions at this position, so that later arguments come three places earlier.
  std::int8_t options_position;
  std::int8_t device_position;  // of an argument of type Device; -1 without
  std::int8_t sizes_position;   // of `size` or `shape`; -1 without
  std::int8_t dim_position;     // of `dim`; -1 without

  bool takes_options() const { return options_position >= 0; }
};

// One operation with all its overloads. The fields speak of the overload that takes most tensors
// and no out=; where overloads differ (max: a reduction, or elementwise for two), look there.
struct Operator {
  std::string_view name;  // without namespace and overload: "add", "add_", "conv2d"
  std::span<const Signature> signatures;
  DeviceRule device_rule;
  ResultPlace result_place;
  ResultKind result_kind;
  ResultRank result_rank;
  std::int8_t self_position;  // -1 where no argument is called self
  bool is_in_place;           // writes self: add_, copy_, index_put_
  bool is_view;  // the result shares self's memory, or may: view, select, contiguous, to

  // Makes a tensor where there was none (zeros), or where self tells the defaults (zeros_like).
  bool is_factory() const {
    return result_place == ResultPlace::kOptions || result_place == ResultPlace::kOptionsOrSelf;
  }
};

// All operations, sorted by name.
std::span<const Operator> all_operators();

// By name without namespace and overload, or nullptr.
const Operator* find_operator(std::string_view name);

// The operation that a spelled name means, in C++ ("at::Tensor::add_", "torch::special::expm1",
// "torch::nn::functional::detail::mse_loss", "at::Tensor::operator+=", "at::add_out") or in Python
// ("torch.nn.functional.relu", "torch.Tensor.add"). Empty for whatever is not an operation.
std::optional<std::string_view> aten_name(std::string_view qualified_name);

// Where the written result stands in the spelled call.
enum class OutSpelling : std::uint8_t { kNone, kFirst, kLast };
OutSpelling out_spelling(std::string_view qualified_name);

// What a method of a tensor that is no operation tells.
enum class QueryKind : std::uint8_t {
  kHostScalar,  // a number, pointer or text on the host; never a tensor: item, numel, data_ptr
  kShape,       // sizes and strides: no data and no device is touched
  kDevice,      // the device, or a question about it: device, is_cuda, get_device
  kOptions,     // TensorOptions or one of its parts: options, dtype, layout
  kSelf,        // this tensor, or another handle of the same place: set_requires_grad, data
  kGradient,    // the gradient, on the tensor's device: grad, mutable_grad
  kVoid,        // acts without a result: backward, retain_grad, reset
};

struct TensorQuery {
  std::string_view name;
  QueryKind kind;
};

// All methods of a tensor that are not operations, sorted by name.
std::span<const TensorQuery> all_tensor_queries();

// By plain method name ("sizes") or spelled in full ("at::TensorBase::sizes"); or nullptr.
const TensorQuery* find_tensor_query(std::string_view name);

}  // namespace placecheck::models

#endif  // ANALYZER_MODELS_OPERATORS_OPERATORS_H_
