// Calls of programs whose front end has no types: what a name, a method or an attribute means is
// decided by the values at hand. dynamic_calls.cc dispatches. Internal to this folder.
//
// A Python program is lowered to such calls: library functions under their dotted names, methods as
// `.name`, and access to objects as `object.get`, `object.set`, ... They end in the effects that
// the other languages' calls have, under the names that the models know.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {

// The arguments of a call, spread out: `*list` and `**dictionary` are what they hold.
struct Given {
  static constexpr size_t kMade = ~size_t{0};

  std::vector<Value> values;
  std::vector<std::string> names;  // empty: positional
  std::vector<size_t> sources;     // the argument of the call that each is, for messages; or kMade
  bool is_open = false;            // there may be further ones
  // Where that is because of one `*list` of unknown length, what it holds, and before which of the
  // others it stands.
  std::vector<Value> of_open_list;
  size_t open_list_at = 0;
  // What is given as `**table`, where its keys are not known.
  std::optional<Value> open_table;
  bool is_tried = false;  // the call stands in a try block that catches

  size_t size() const { return values.size(); }
  void add(const Value& value, std::string name, size_t source);
  // By name, or by the position among those without a name; nullopt if it is not given.
  std::optional<size_t> find(std::string_view name, size_t position) const;
  std::optional<size_t> named(std::string_view name) const;
  std::vector<size_t> positional() const;
  Given without(size_t first) const;
};

// Whether `call` is one of those.
bool is_dynamic(const ir::Call& call);
// Whether a function or a class was lowered from such a program.
bool is_dynamic(const ir::Function& function);
bool is_dynamic(const ir::Class& type);
// Whether some unit of the program was.
bool is_dynamic(const ir::Program& program);

// The name of the argument that says that a call stands in a try block with a handler; its value is
// true where the program foresees that it fails: the handler moves something and may retry the
// call, or a test wants the failure.
inline constexpr std::string_view kTried = "<tried>";
bool is_foreseen_to_fail(const ir::Call& call, const std::vector<Value>& arguments);

// Runs it. What is not known is unknown: this never fails.
Exits dynamic_call(CallContext& context);

Given given_arguments(CallContext& context);

// What a dotted name ends with.
inline std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}
// Classes begin with a capital letter.
inline bool is_class_name(std::string_view name) {
  std::string_view last = last_part(name);
  return !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
}
inline bool is_list(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  return object && is_list(*object);
}
inline bool is_kind(CallContext& context, const Object* object, std::string_view library_type) {
  return object && object->kind == ObjectKind::kLibrary &&
         context.activation.names().text(object->type_name) == library_type;
}
// A call that ends in one way.
inline Exits one(CallContext& context, const Value& value) { return single_exit(context, value); }
// A tensor with a dimension that a call makes on the CPU.
inline Value host_tensor(CallContext& context) {
  Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
  tensor.origin = context.origin(OriginKind::kCreated);
  return tensor;
}
// A number or text that the program knows and this analysis does not.
inline Value unknown_scalar(CallContext& context) {
  return context.activation.fresh_symbol(context.instruction, context.state);
}
// The same, where each run has one answer and the analysis does not know which: nothing that
// follows from either is reported.
Value lost_scalar(CallContext& context);

// --- dynamic_calls.cc ---
// Carries out the call under another name, with these arguments.
Exits call_as(CallContext& context, const Given& given, const std::string& name,
              ir::CallKind kind = ir::CallKind::kDirect, const std::string& key = {});
// Calls a value with the arguments behind it.
Exits call_value(CallContext& context, const Value& callee, const Given& given);
// Calls a function of the project; `first`: what goes before the arguments.
// `closure`: the function value, which keeps the defaults of parameters; kNoObject where none does.
Exits call_function(CallContext& context, const ir::Function& function, std::vector<Value> first,
                    const Given& given, ObjectId closure = kNoObject);
// The field in which a function value keeps the default of a parameter.
std::string default_field(std::string_view parameter);
Exits construct_object(CallContext& context, const ir::Class& type, const Given& given);
// Nothing is known of what is called: what it is given may have been changed.
Value forget(CallContext& context, const Given& given);
// The same of a call that moves nothing: it may add to the lists that it is given.
Value open_lists(CallContext& context, const Given& given);
// What runs where a property is assigned; null for other attributes.
const ir::Function* find_setter(Activation& activation, const ir::Class& type,
                                std::string_view name);
// The classes of an object in the order in which its attributes are looked up.
std::vector<const ir::Class*> lookup_order(Activation& activation, const ir::Class& type);
bool has_unknown_base(Activation& activation, const ir::Class& type);
// Whether a class of the program derives from one of a library, by its dotted name.
bool derives_from_library(Activation& activation, const ir::Class& type, std::string_view name);
// Whether its members are named values, and each value has one member.
bool is_enumeration(Activation& activation, const ir::Class& type);
bool derives_from_library(Activation& activation, const ir::Class& type,
                          llvm::function_ref<bool(std::string_view)> fits);
struct FoundMethod {
  const ir::Function* function = nullptr;
  std::string how;  // "", "property:", "static:", "class:", "decorated:"
};
FoundMethod find_method(Activation& activation, const ir::Class& type, std::string_view name,
                        const std::string& behind = {});

// --- dynamic_attributes.cc ---
Exits get_attribute(CallContext& context, const Value& object, const std::string& name);
// What a class, or one of its bases, has under a name; nothing where none of them was given one.
std::optional<Value> class_attribute(CallContext& context, const ir::Class& type,
                                     const std::string& name);
// The function that decorators of the program have made of a method; it takes the receiver first.
std::optional<Value> decorated_method(CallContext& context, const ir::Class& type,
                                      const std::string& name);
// Whether an object of a class of the program has an attribute; nullopt where that is not known.
std::optional<bool> has_own_attribute(CallContext& context, const Object& object, Name field);
// hasattr(x, "module"): a wrapper has one, a module of the project that never gets one has none.
Value has_attribute(CallContext& context, const Given& given);
// The field that a module has once a buffer was registered under a name with None for it: a tensor
// that is assigned to the name is that buffer.
Name registered_as_none(CallContext& context, Name field);
// `set_own_attribute`: what object.__setattr__ does, without the class's own.
void set_own_attribute(CallContext& context, const Value& object, const std::string& name,
                       const Value& value);
void set_attribute(CallContext& context, const Value& object, const std::string& name,
                   const Value& given);
// An attribute is asked of a data-parallel wrapper that only the module inside of it has.
void note_wrapper_attribute(CallContext& context, const Value& wrapper, const std::string& name);

// --- dynamic_blocks.cc ---
// What a with-block binds: the object itself, unless its class says otherwise.
Exits enter_block(CallContext& context, const Value& manager);
// The end of a with-block: runs `__exit__`. No exits where the manager has none.
Exits leave_block(CallContext& context, const Value& manager);
// Of a generator that is split at its `yield`: the value that is yielded, and the function that
// runs at the end of the block, or None.
Value make_context_manager(CallContext& context, const Value& entered, const Value& at_end);
// Keeps, with what a generator yields, the devices and the process group of that moment.
void note_devices_at_yield(CallContext& context, const Value& yields);

// --- dynamic_objects.cc ---
// "object.get", "object.set", ...; nothing for other names.
std::optional<Exits> object_call(CallContext& context);
Exits get_item(CallContext& context, const Value& object, const Value& index);
// What a variable of the environment holds; and that it may hold something else from now on.
Value variable_of_environment(CallContext& context, const Value& name);
void forget_variable(CallContext& context, const Value& name);
// The value with everything that it holds made anew.
Value deep_copy(CallContext& context, const Value& value, uint32_t first = 2000);
Value part_of(CallContext& context, const Value& whole, size_t index, size_t count);
// A reference to something of a library, by its dotted name.
Value library_value(CallContext& context, const std::string& name, uint32_t ordinal = 0);
// What a library has under a name that may not be known.
Value library_member(CallContext& context, const std::string& library, const Value& name);
// The name that such a reference has.
std::optional<std::string> library_name(CallContext& context, const Value& value);
// A reference to a class of the program, and the class that one names; null for other values.
Value class_value(CallContext& context, const std::string& key);
const ir::Class* class_of(CallContext& context, const Value& value);
Value make_list(CallContext& context, std::vector<Value> elements, ObjectKind kind,
                uint32_t ordinal = 0);

// --- dynamic_callables.cc ---
// A function, the first of `given`, that is called with the others before its own arguments.
Value make_partial(CallContext& context, const Given& given);
// What functools.partial returns; nothing for other functions.
std::optional<Value> partial_function(CallContext& context, const std::string& name,
                                      const Given& given);
// Calls what it returned; nothing for other objects.
std::optional<Exits> call_partial(CallContext& context, const Object& partial, const Given& given);
// An executor of threads that are to run a function first; nothing for others.
std::optional<Value> make_executor(CallContext& context, std::string_view name, const Given& given);
// `submit`, `map` and `result` of executors of threads and of futures; nothing for others.
std::optional<Exits> executor_method(CallContext& context, std::string_view name,
                                     const Given& given);

// --- dynamic_distributed.cc ---
// A program, or a process that it starts, has no process group.
void begin_without_group(CallContext& context);
// Certainly: nothing has made one, and nothing was called that is not followed.
bool has_no_group(CallContext& context);
bool has_nccl_group(CallContext& context);
// What is known of the process group, to be set again.
Value process_group(CallContext& context);
void set_process_group(CallContext& context, const Value& group);
// What is called, and not followed, may make one.
void doubt_group(CallContext& context);
// What functions of torch.distributed do with the group, and with tensors that it does not take.
void note_distributed(CallContext& context, const std::string& name, const Given& given);
// Tells of it where the group is of NCCL and has several ranks, each of which may use any device.
void note_rank_device(CallContext& context, const RankDeviceEvent& event);
// `torch.distributed.get_rank()`, `is_initialized()`, `is_available()`, which a PyTorch with CUDA
// answers with yes; nothing for other functions.
std::optional<Value> distributed_query(CallContext& context, const std::string& name,
                                       const Given& given);

// --- dynamic_tuples.cc ---
// Whether the elements of a tuple have names, and then the type that makes such tuples.
bool is_named_tuple(CallContext& context, const Object& object);
std::optional<Value> type_of_named_tuple(CallContext& context, const Object& object);
// An object of a class that derives from this one is a tuple as well, of the fields that it has.
inline constexpr std::string_view kTypedTuple = "typing.NamedTuple";
void become_tuple(CallContext& context, ObjectId object);
// What collections.namedtuple returns; nothing for other functions.
std::optional<Value> named_tuple_type(CallContext& context, const std::string& name,
                                      const Given& given);
// A tuple of such a type; nothing for other objects.
std::optional<Value> make_named_tuple(CallContext& context, const Object& type, const Given& given);
// `_replace` of a tuple with names: a tuple of its own. Nothing for other methods and objects.
std::optional<Value> replaced_fields(CallContext& context, std::string_view method,
                                     const Given& given, const Value& self);

// --- dynamic_json.cc ---
// What json.loads makes of a text that is known; nothing for other calls.
std::optional<Value> parsed_json(CallContext& context, const std::string& name, const Given& given);

// --- dynamic_library.cc ---
Exits library_function(CallContext& context, const std::string& name, const Given& given);
// A method of a value that is no object of the project.
Exits library_method(CallContext& context, const std::string& name, const Given& given);
// Certainly; of other symbols it is not known whether they are texts.
bool is_number(const Value& value, const Names& names);
// The device that a value names, numbers included.
Value as_device(CallContext& context, const Value& value);
// The path that the parts make: the same for the same parts.
Value joined_path(CallContext& context, const Given& given);
// The `number` of a text that stands for a path of pathlib, which is no `str`.
inline constexpr int64_t kPath = 1;
// The same as joined_path(), as a path of pathlib.
Value path_of(CallContext& context, const Given& given);
// The arguments of `parameters`, in that order; what is missing at the end is left out.
Given arranged(CallContext& context, const Given& given, std::string_view parameters);
// An operation of PyTorch: its tensors wherever they stand, by name or not.
std::optional<Exits> operation(CallContext& context, const std::string& name, const Given& given);

// --- dynamic_methods.cc ---
// What `_modules` holds: the children of a module, by their names.
Value table_of_children(CallContext& context, ObjectId module);
Exits tensor_method(CallContext& context, const std::string& name, const Given& given);
Exits module_method(CallContext& context, const std::string& name, const Given& given);
// The device that `x.to(...)` and its kind ask for; nothing where it is not known.
std::optional<Place> asked_place(CallContext& context, const std::string& name, const Given& given);

// --- dynamic_factories.cc ---
// zeros(2, 3), zeros((2, 3)), zeros_like(x), full((2, 3), 1.0): sizes as one list, options last.
Exits make_tensor(CallContext& context, std::string_view operation, const Given& given);
// torch.tensor(data, device=d): of numbers as they are given.
Exits tensor_from_data(CallContext& context, const Given& given);
// A layer, loss or container of torch.nn.
Exits make_layer(CallContext& context, const std::string& name, const Given& given);
// A tensor that a module registers when it becomes an attribute of it.
Value make_parameter(CallContext& context, const Given& given);
// What is made from here on without a device goes there; anywhere where that is not known, and to
// the CPU again for None.
void set_default_device(CallContext& context, const Value& device);
bool has_default_device(CallContext& context);
Place place_of_new_tensors(CallContext& context);
// `with torch.device(...):` and its end.
void enter_default_device(CallContext& context, const Value& device);
void leave_default_device(State& state, Names& names);

// --- dynamic_arguments.cc ---
// A parser of the command line, or what it yields, which are one object; nothing for other names.
std::optional<Value> make_argument_parser(CallContext& context, std::string_view name,
                                          const Given& given);
// The text that an option is when nobody gives it, where this path has decided nothing else: the
// path goes on as one on which it is that.
std::optional<Value> assume_default(CallContext& context, const Value& option);
// A method of one. An option that names a device, or lists some, is its default; nothing for other
// values.
std::optional<Value> argument_parser_method(CallContext& context, std::string_view name,
                                            const Given& given);

// --- dynamic_other_libraries.cc ---
// A network that a library makes, whose layers are not known; nothing for other functions.
std::optional<Value> library_network(CallContext& context, std::string_view name,
                                     const Given& given);
// Gives it parameters on the CPU.
void add_network_state(CallContext& context, ObjectId network);
// apex's amp and its SyncBatchNorm; nothing for its other functions.
std::optional<Value> apex_function(CallContext& context, std::string_view name, const Given& given);
// The result of a function of Python's library that yields a number with a fraction.
std::optional<Value> library_float(CallContext& context, std::string_view name);
// Another process, or thread, runs a function of the program: what it does is seen, and changes
// nothing here. Nothing for other functions.
std::optional<Exits> start_function(CallContext& context, const std::string& name,
                                    const Given& given);
// `start()` of a class of the program that derives from threading.Thread: its run() in a thread
// that has selected no device yet. Nothing for other methods.
std::optional<Exits> start_thread(CallContext& context, const std::string& name, const Value& self);
// What torchvision's `Compose` and its kind make of an image: `ToTensor` yields a tensor on the
// CPU. Nothing for what is no transform.
std::optional<Value> transformed(CallContext& context, const Value& transform, const Given& given);
// numpy reads the memory of the i-th argument where it is.
void note_host_array(CallContext& context, const Given& given, size_t i, bool is_element = false);
// A function of numpy, given at least one argument, reads what it makes an array of.
void note_array_of(CallContext& context, const std::string& name, const Given& given);
// torchvision.utils.make_grid(): where the pictures are.
Value grid_of(CallContext& context, const Given& given);

// --- dynamic_parallel.cc ---
bool is_data_parallel(CallContext& context, const Object& module);
bool is_distributed(CallContext& context, const Object& module);
bool is_averaged(CallContext& context, const Object& module);
// The type of a wrapper for several processes.
inline constexpr std::string_view kDistributed = "placecheck::parallel::DistributedDataParallel";
Exits make_data_parallel(CallContext& context, const Given& given);
// The field of a table with the key under which something was put there last, where that is no
// literal.
inline constexpr std::string_view kKeyOfCache = "<key of a cache>";
// replicate(), scatter(), parallel_apply() and gather() of torch.nn.parallel.
std::optional<Value> parallel_function(CallContext& context, std::string_view name,
                                       const Given& given);
Value make_distributed(CallContext& context, const Given& given);
Value make_averaged(CallContext& context, const Given& given);
// Replicas of a wrapped module run on parts of what is given. What the first does is seen by the
// program; the second, on another device, is run for what it shows.
Exits call_data_parallel(CallContext& context, const Value& wrapper, const Given& given);
// One replica in each process, on the device that the wrapper was given.
Exits call_distributed(CallContext& context, const Object& wrapper, const Given& given);

// --- dynamic_einops.cc ---
// A function of einops; nothing for others.
std::optional<Exits> einops_function(CallContext& context, std::string_view name,
                                     const Given& given);

// --- dynamic_generators.cc ---
// torch.Generator(...) and what else yields a generator; nothing for other functions.
std::optional<Value> make_generator(CallContext& context, const std::string& name,
                                    const Given& given);
// A method or an attribute of a generator; nothing for other values.
std::optional<Value> generator_method(CallContext& context, std::string_view name,
                                      const Given& given);
std::optional<Value> generator_attribute(CallContext& context, const Value& generator,
                                         std::string_view name);
// The generator among the arguments, if there is one, draws the numbers of a tensor.
void note_generator(CallContext& context, const Given& given, const Value& tensor);
// The same for numbers that are drawn on the CPU whatever they are for.
void note_host_generator(CallContext& context, const Given& given, size_t position);
// `get_rng_state()`, `set_rng_state(state)`: the state, also that of a device's generator, is a
// tensor on the CPU. Nothing for other functions.
std::optional<Value> generator_state(CallContext& context, std::string_view name,
                                     const Given& given);

// --- dynamic_distributions.cc ---
// Makes a distribution of torch.distributions, or compares two; nothing for other functions.
std::optional<Exits> distribution_function(CallContext& context, const std::string& name,
                                           const Given& given);
// A method or an attribute of one; nothing for other values.
std::optional<Exits> distribution_method(CallContext& context, std::string_view name,
                                         const Given& given);
std::optional<Value> distribution_attribute(CallContext& context, const Value& value,
                                            std::string_view name);

// --- dynamic_optimizers.cc ---
// torch.optim.Adam(...) and its kind.
Exits make_optimizer(CallContext& context, const std::string& name, const Given& given);
// A method of an optimizer, `given.values[0]`; nothing for those that do nothing of interest.
std::optional<Exits> optimizer_method(CallContext& context, const std::string& name,
                                      const Given& given);
// A class of the program that derives from an optimizer of PyTorch: its `super().__init__(...)`, a
// method that it does not define itself (also of a learning-rate scheduler), and the state of a
// parameter before the first step.
bool is_optimizer_class(Activation& activation, const ir::Class& type);
void make_base_optimizer(CallContext& context, const Value& self, const Given& given);
std::optional<Value> base_optimizer_method(CallContext& context, const ir::Class& type,
                                           std::string_view name);
std::optional<Value> state_of_parameter(CallContext& context, const Object& states);
// The program reads the state of an optimizer, and may move it.
void expose_optimizer_state(CallContext& context, ObjectId optimizer, std::string_view attribute);

// --- dynamic_builtins.cc ---
// A function of the language; nothing where it is none.
std::optional<Exits> builtin_function(CallContext& context, std::string_view name,
                                      const Given& given);
// A method of a text, a list or a table.
std::optional<Exits> container_method(CallContext& context, std::string_view name,
                                      const Given& given);

// --- dynamic_namespaces.cc ---
// types.SimpleNamespace(a=...), argparse.Namespace(a=...); nothing for other names.
std::optional<Value> make_namespace(CallContext& context, std::string_view name,
                                    const Given& given);
// Gives an object of a data class the fields that a factory makes and that were not given.
void make_default_fields(CallContext& context, const Value& object, const ir::Class& type);
// dataclasses.field(); and dataclasses.fields(), replace() and is_dataclass() of an object of the
// program whose class has fields and no constructor; nothing for others.
std::optional<Value> data_class_function(CallContext& context, std::string_view name,
                                         const Given& given);
// A module of the program as a value: the functions and classes that the call gives, by name.
Value make_module(CallContext& context);
// `vars(x)` and `x.__dict__`: a table that changes with the object; nothing where that is not
// known.
std::optional<Value> attributes_of(CallContext& context, const Value& value,
                                   uint32_t ordinal = 927);
// `_parameters`, `_buffers` and `_modules` of a module: such a table of what is registered; nullopt
// for other attributes.
std::optional<Value> registered_in(CallContext& context, const Value& module,
                                   std::string_view attribute);
// `getattr(x, name, otherwise)`
Exits attribute_or(CallContext& context, const Value& value, const std::string& name,
                   const Value& otherwise);
// What such a table is now, and access to it; nothing for other values.
std::optional<Value> table_of_attributes(CallContext& context, const Value& value);
std::optional<Exits> item_of_attributes(CallContext& context, const Value& view, const Value& key);
bool set_item_of_attributes(CallContext& context, const Value& view, const Value& key,
                            const Value& value);
std::optional<Exits> attributes_method(CallContext& context, const std::string& name,
                                       const Given& given);

// --- dynamic_sequences.cc ---
// One of the elements of a list.
Value some_item(CallContext& context, const Object& items);
// Where in a list of which all elements are known an index leads, counted from the end if it is
// negative; nothing where that is not known.
std::optional<size_t> position_in(const Object& list, const Value& index);
Value slice_of_list(CallContext& context, const Object& list, const Object& slice);
// `[a, *b]`, `(a, b)`, `{a, b}`: "list", "tuple", "collection".
Value written_sequence(CallContext& context, std::string_view kind);
// The order of what is not at hand, or is sorted by a key, is not known afterwards.
void reverse_list(CallContext& context, Object& list);
void sort_list(CallContext& context, const Given& given, Object& list);
// `a += b` of a list or a table, which changes.
Value updated_list(CallContext& context, const Value& before, const Value& other,
                   const std::string& operation);
// `a + b` and `a * n` of lists; nothing for other operations.
std::optional<Value> list_operation(CallContext& context);
// A function of the language or of its libraries that makes a list of others, or takes elements
// of one; nothing for others.
std::optional<Value> sequence_function(CallContext& context, std::string_view name,
                                       const Given& given);
// A method that changes a list; nothing for others.
std::optional<Value> list_method(CallContext& context, std::string_view name, const Given& given);
// Whether it is a defaultdict, and what that has under a key, which it makes if it is not there.
bool is_defaultdict(CallContext& context, const Object& table);
Value item_of_defaultdict(CallContext& context, ObjectId table, const Value& key);

// --- dynamic_parameters.cc ---
// The parameters of a module: each that is known, and perhaps others.
Object parameters_in(CallContext& context, const Value& parameters);
Value parameter_at(CallContext& context, const Value& parameters, const Value& index);
// One of them, where all are at one place: it stays one of them where they are moved.
Value some_parameter(CallContext& context, const Value& parameters);
// The one that parameters() yields first; none where it is not known which that is.
std::optional<Value> first_parameter(CallContext& context, const Value& parameters);
// A short list of them, where they are on several devices: a loop takes them one by one.
std::optional<Value> parameters_apart(CallContext& context, const Value& value);
// Whether a module is DataParallel or DistributedDataParallel: the names of its parameters begin
// with "module.".
bool is_wrapper(CallContext& context, ObjectId module);
// How many parameters a layer has that was made with these arguments.
void note_parameters(CallContext& context, ObjectId layer, const std::string& name,
                     const Given& given);

// --- dynamic_hooks.cc ---
// Where `module.forward` is assigned, and where a hook is registered.
void note_replaced_forward(CallContext& context, const Value& module, std::string_view attribute);
void note_hook(CallContext& context, const Value& module, std::string_view method);
// The call of a module whose class's forward does not get the arguments; nothing for others.
std::optional<Exits> call_replaced_forward(CallContext& context, const Value& module,
                                           const Given& given);
struct ForwardHook {
  Value module;
  Value function;
  bool is_inner = false;  // of a part of the network that is called
};
// `module.register_forward_hook(function)` and `handle.remove()`; nothing for other calls.
std::optional<Value> register_forward_hook(CallContext& context, const Given& given);
// A queue of the library of that name; nothing for other names.
std::optional<Value> make_queue(CallContext& context, std::string_view name);
std::optional<Exits> queue_method(CallContext& context, std::string_view name, const Given& given);
std::optional<Value> hook_handle_method(CallContext& context, std::string_view name,
                                        const Value& self);
// Those that run after a call of `module`, in that order; and what is left when they have.
std::vector<ForwardHook> forward_hooks_of(CallContext& context, const Value& module);
Exits run_forward_hooks(CallContext& context, const std::vector<ForwardHook>& hooks,
                        const std::vector<Value>& inputs, Exits exits);

// --- dynamic_keys.cc ---
// A tuple, or a text that names a device, as the key of a table (is_compound_key()); other values
// as they are. tuple_of_key() makes the tuple again; nothing for other keys.
Value as_key(CallContext& context, const Value& index);
std::optional<Value> tuple_of_key(CallContext& context, const Value& key);
// A text that names a device, with `unknown` for what is not known of it; nothing for other texts.
std::optional<Name> text_around_device(Name text, Name unknown, Names& names);
// What a table has under such keys. They do nothing where `key` is another value, or where the
// table's keys are not known.
std::optional<bool> has_compound_key(CallContext& context, const Object& table, const Value& key);
bool set_compound_key(CallContext& context, Object& table, const Value& key, const Value& value);
std::optional<Value> item_of_compound_key(CallContext& context, const Object& table,
                                          const Value& key);

// --- dynamic_types.cc ---
// isinstance(value, torch.Tensor); nullopt where that is not known.
std::optional<bool> is_tensor(CallContext& context, const Value& value);
Value is_instance(CallContext& context, const Given& given);
// `type(value)`, what calling it with a collection makes, and whether two types are one; nothing
// where that is not known.
Value type_of(CallContext& context, const Value& value);
std::optional<Exits> make_of_type(CallContext& context, const Value& type, const Given& given);
std::optional<bool> are_same_types(CallContext& context, const Value& a, const Value& b);
// `callable(value)`, `inspect.isfunction(value)`; nothing for other functions.
std::optional<Value> asks_for_function(CallContext& context, std::string_view name,
                                       const Given& given);

// --- dynamic_loops.cc ---
Exits make_range(CallContext& context, const Given& given);
// range(torch.cuda.device_count()): open, with the numbers of those devices that there are at
// least. A list of it is looked at as one for these, as a loop is.
bool is_range_over_devices(CallContext& context, const Object& list);
// The same of a loop's range, from the first device on.
bool is_range_over_devices(const State& state, const Value& range, const Names& names);
// The last number of a range that ends at a multiple of the number of devices.
std::optional<Value> last_by_count(const State& state, const Value& range, const Names& names);
// `start`: the number of the first element, if the program says it.
Value enumerated(CallContext& context, const Value& range, const Value* start = nullptr);
Value zipped(CallContext& context, const Given& given);
// `items()` and `keys()` of a table; the former also of what yields pairs as that does.
Value items_of(CallContext& context, const Value& table);
bool is_items(CallContext& context, const Object& object);
Value keys_of(CallContext& context, const Value& table);
// The table whose keys an object of that kind is; nothing for other objects.
std::optional<Value> table_of_keys(CallContext& context, const Object& object);
std::optional<int64_t> known_length(CallContext& context, const Value& value);
// What is looped over by number in `range`: the list in `enumerate(list)`.
Value iterated_list(CallContext& context, const Value& range);
// `iter(value)`, as a loop does first: what `__iter__` of an object of the program returns, and
// other values as they are.
Exits begin_iteration(CallContext& context, const Value& iterable, int depth = 0);
// What a loop over the value has in turn: a list of its elements.
// `which` tells the lists apart that one call asks for.
Object items_in(CallContext& context, const Value& value, uint32_t which = 0);
// Whether it is made of others as it is looped over: what zip(), enumerate() and items() yield.
bool is_joined(CallContext& context, const Value& value);
// "loop.begin", "loop.more", ... of a loop over whatever the language lets one loop over.
Exits dynamic_loop(CallContext& context);

// --- dynamic_loaders.cc ---
// The field of a tuple or list of which a loader has made a batch, which is a list.
inline constexpr std::string_view kOfBatch = "<of a batch>";
// DataLoader(dataset, batch_size, ...)
Exits make_loader(CallContext& context, const Given& given);
// What torchvision's MNIST and its kind keep in memory; nothing for others.
std::optional<Value> dataset_attribute(CallContext& context, const Object& object,
                                       std::string_view name);
// `dataset[index]` of a TensorDataset; nothing for others.
std::optional<Value> dataset_item(CallContext& context, const Object& dataset, const Value& index);
// A class of the program that derives from a data set of torchvision, and its
// `super().__init__(...)`, which keeps the transforms and reads the data.
bool is_vision_dataset(Activation& activation, const ir::Class& type);
void make_base_dataset(CallContext& context, const Value& dataset, const Given& given);
// A batch of a data loader; nothing for other objects.
std::optional<Exits> batch_of(CallContext& context, const Object* object);

// --- dynamic_texts.cc ---
// A table of which every key is a known text.
bool has_text_keys(const Object& table);
// Texts or integers.
bool has_literal_keys(const Object& table);
// Of a table of which every key is known: what a variable is that runs over them (`for key in
// table`). It stands for all of them: what is done with it is done with each.
Value each_key(CallContext& context, std::vector<Value> keys, uint32_t ordinal);
// Of a table whose keys are not all known, the key of the current iteration of a loop over it: what
// each iteration sets under it is set under all of them.
Value key_of_iteration(CallContext& context, const Value& table);
void end_iteration_over_keys(CallContext& context, const Value& table);
// At a branch that is not decided: what follows is not done in each iteration, so that the entries
// of the tables that loops run over are unknown from here on.
void doubt_tables_of_iterations(State& state, Names& names);
// A method of a text, or of such a variable; nothing for other values.
std::optional<Exits> text_method(CallContext& context, std::string_view name, const Given& given);
// `path / "net.pt"`: a path is its text. Nothing for other operations.
std::optional<Value> path_operation(CallContext& context);
// `"cuda:%d" % i`: nothing for other operations.
std::optional<Exits> formatted_text(CallContext& context);
// `text[from:to]`; unknown where a bound is counted from the end of an unknown text.
Exits slice_of_text(CallContext& context, const Value& text, const Object& slice);
// The following do nothing for what is not `each_key`.
std::optional<Value> key_operation(CallContext& context);
std::optional<Value> slice_of_keys(CallContext& context, const Value& keys, int64_t from);
// Whether all of those keys are in a table; nothing where some are, or where that is not known.
std::optional<bool> keys_are_in(CallContext& context, const Value& keys, const Value& table);
bool set_each_key(CallContext& context, ObjectId table, const Value& keys, const Value& value);

// --- dynamic_state.cc ---
// state_dict(), load_state_dict(), torch.save and torch.load.
Value state_dict_of(CallContext& context, ObjectId module);
void load_state_dict(CallContext& context, ObjectId module, const Given& given);
// Takes a prefix off the keys of a table, in place.
void strip_prefix(CallContext& context, const Given& given);
Value load_file(CallContext& context, const Given& given);
// The field of a table that was read from a file: its origin is where the table was written.
inline constexpr std::string_view kSavedAt = "<saved at>";
void save_file(CallContext& context, const Given& given);

// --- dynamic_buffers.cc ---
// Nothing where `name` makes no buffer in memory.
std::optional<Value> make_buffer(CallContext& context, const std::string& name, const Given& given);
// Nothing where the receiver is no such buffer.
std::optional<Value> buffer_method(CallContext& context, const std::string& name,
                                   const Given& given);

}  // namespace placecheck::dataflow
