// The effects of library calls, by subject; effects.cc dispatches to them. Internal to this folder.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/call_context.h"
#include "analyzer/dataflow/events.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/models/libraries/effects.h"
#include "analyzer/models/libraries/modules.h"

namespace placecheck::dataflow {

// What the tables have for a call, by the name of a function or of a constructed class.
std::optional<models::Effect> effect_of(const ir::Call& call);
// Whether the instruction selects the current device, for good or as long as a guard lives.
bool selects_or_guards_device(const ir::Instruction& instruction);
// One state, one value: what most calls come to.
Exits single_exit(CallContext& context, const Value& value);
// Calls the function value that argument `first` is with the arguments behind it. False where it is
// not known what that does.
bool call_function_value(CallContext& context, Exits& exits, size_t first);

// --- effects_devices.cc ---
bool device_effect(CallContext& context, models::Effect effect, Value& result);
// "cuda" means the current device.
Place resolve(const State& state, const Place& place);
// The place that an argument names: a device, options that name one, or a device text.
std::optional<Place> named_place(CallContext& context, const Value& value);
Place device_from_text(CallContext& context, const Value& text);
// A device's number as a scalar, and back: the number of wherever a tensor lives leads there.
Value number_of(CallContext& context, const Place& place);
Place numbered(const Value& number, const Names& names);

// --- effects_threads.cc ---
// A wait for a condition: what its object and its predicate can see may change meanwhile.
void let_others_run(CallContext& context);

// --- effects_memory.cc ---
// Memory that is allocated, copied and given back, and who reads it.
bool memory_effect(CallContext& context, models::Effect effect, Value& result);
// Calls of which the models know only what they use: memory, streams, events, handles.
bool uses_call(CallContext& context, Value& result);
// A number or a pointer that lies in memory of a device is read or written by the host.
void host_access(Activation& activation, const State& state, const Value& accessed,
                 const ir::Range& range);
// Argument `i` is memory that code on `device` uses.
void use_memory_on(CallContext& context, size_t i, const Place& device, OriginId selected_at);
// Argument `i` is taken for memory of `place`.
void take_memory_for(CallContext& context, size_t i, const Place& place);
// The current device, where the program, not its caller, decides it.
Place current_device(Activation& activation, const State& state);

// --- effects_work.cc ---
// The current device is given a kernel to run on `operands`; `stream` is the position of its
// stream among the arguments.
void give_kernel(CallContext& context, std::vector<MemoryFact> operands, size_t stream);
// If the call is a routine of a library that runs on the current device, says so. What else the
// call does is for others to say.
void note_routine(CallContext& context);

// --- arrays.cc ---
// (elements..., size: n, element: e)
Value make_array(CallContext& context);
// What adding to or subtracting from an argument that leads into an array comes to.
std::optional<Value> moved_pointer(CallContext& context, std::string_view operation);
// (number of elements[, what each is][, element: e])
Value make_sized_list(CallContext& context);
// (iterator, iterator, start): the elements are start, start + 1, ...
void number_elements(CallContext& context);

// --- effects_handles.cc ---
// Streams, events and library handles belong to the device that was current when they were made.
bool handle_effect(CallContext& context, models::Effect effect, Value& result);
void use_handle(CallContext& context, size_t i, const Place& needed, OriginId needed_at);
// Whether the scalars given along with a library's handle, argument 0, are read on its device.
std::optional<bool> reads_scalars_on_device(CallContext& context);
// Whether a routine's handle, the first argument, was made here and certainly given no stream.
bool has_no_stream(CallContext& context);

// --- effects_collectives.cc ---
bool collective_effect(CallContext& context, models::Effect effect, Value& result);
// --- effects_process_groups.cc ---
bool process_group_effect(CallContext& context, models::Effect effect, Value& result);
void leave_program(Activation& activation, const State& state, const ir::Range& range);

// --- effects_setup.cc ---
// Which devices are visible, and when that is settled.
bool setup_effect(CallContext& context, models::Effect effect, Value& result);
// What has to be followed in a program because something in it asks for it.
struct Followed {
  bool setup = false;      // it writes the list of visible devices
  bool processes = false;  // it starts other processes
  bool modes = false;      // it runs copies of modules, or asks whether they are in training
  bool peers = false;      // devices may use each other's memory: it is not known which
  std::vector<const ir::Instruction*> peer_calls;  // that enable it for one device and another
  bool pins = false;      // some memory of the host may be in the devices' reach
  bool prefixes = false;  // it spells the prefix of a wrapped module's names: "module."
};
Followed followed_in(const ir::Program& program);
// The devices' runtime starts, unless it has.
void start_devices(CallContext& context);
// The properties of the device whose number is the second argument are asked for.
void note_asked_about(CallContext& context);
// The device that is current now is the one that `guard` restores.
void keep_device(CallContext& context, Object& guard);
// Makes the device current that was so before `guard`; false if it is no guard of a device.
bool restore_device(State& state, const Value& guard, Names& names);
// Something is put on, or selects, a device; `named_at` is where that was named.
void use_device(CallContext& context, const Place& place, OriginId named_at);
// What was saved from there, at `saved_at`, is loaded without a device.
void load_onto_saved_device(CallContext& context, const Place& place, OriginId saved_at);
// How many devices the program sees, where that is settled.
std::optional<int64_t> visible_devices(CallContext& context);
// What the program is told of that. A number that is merely assumed is no answer: which devices a
// test of it promises is judged as well.
std::optional<int64_t> counted_devices(CallContext& context);
// A text is looked up in a table. The program may know what to do where it is not there, and it
// need not be meant as a device's name.
void note_question(CallContext& context, const Value& text);
bool was_looked_up(CallContext& context, const Value& text);
// A value that names a device by a text.
void note_device_text(CallContext& context, const Value& text);

// --- effects_tensors.cc ---
bool tensor_effect(CallContext& context, models::Effect effect, Value& result);
// Tensor operations and queries by name.
bool operator_call(CallContext& context, Value& result);
// Adds the tensors in argument `i` (also those in a list) to `operands`.
void add_operands(CallContext& context, size_t i, std::vector<Operand>& operands);
// The operands of an operation on two values; none where these are not two tensors.
std::vector<Operand> operands_of_pair(CallContext& context, const Value& a, const Value& b);
// Reports the meeting, and makes the tensor that comes out of it.
Value combine(CallContext& context, const std::string& operation, models::DeviceRule rule,
              std::vector<Operand> operands, Rank rank);
// Each of the gradients in one argument, for the output at its position in the other.
void meet_gradients(CallContext& context, size_t outputs, size_t gradients);
// 0-dim, or not, by the sizes given.

// --- effects_parameters.cc ---
// vector_to_parameters(vector, parameters).
void set_parameters(CallContext& context);
// The gradients of a module's parameters, or of those in a list, are the operands of one operation;
// each is where its parameter is. `rank`: of the operands.
void combine_gradients(CallContext& context, const Value& parameters, const std::string& operation,
                       Rank rank);
// tensor.set_data(other). Where a loop does so to each parameter of a module, these are where
// `other` is afterwards.
void set_data(CallContext& context);
// Copies of a handle share its tensor. Where a call may have given other data to tensors among its
// arguments, as they were `before` it, nothing is known of the copies.
void displace_replaced(State& state, const State& before, const std::vector<Value>& arguments,
                       Names& names);

// --- effects_queries.cc ---
bool tensor_query(CallContext& context, const models::TensorQuery& query, Value& result);

// --- effects_ranks.cc ---
// Of what has these sizes: a list, or something that is not known.
Rank rank_of_sizes(CallContext& context, const Value& sizes);
// Of the operation's result, or of each, if there are several.
Rank result_rank(CallContext& context, const models::Operator& op,
                 const std::vector<Operand>& operands);
// Of what the layer of a library returns for operands of these ranks.
Rank layer_rank(std::string_view layer, const std::vector<Operand>& operands);

// The registered name of the one tensor that stands for a library module's state.
inline constexpr std::string_view kModuleState = "weight";

// --- effects_apply.cc ---
// Calls the module that argument 0 is.
Exits apply_module(CallContext& context);

// --- effects_modules.cc ---
// A registered tensor, which keeps its identity where a module moves it. `ordinal`: see make().
Value make_cell(CallContext& context, const Value& tensor, uint32_t ordinal);
// The cell that stands for a library module's whole state.
Value state_of(CallContext& context, ObjectId module);
// The library's layer that a module is, or is derived from; null if none.
const models::ModuleModel* model_of(Activation& activation, const Object& module);
// Parameters of its own, on the CPU, if it is such a layer and has any.
void add_library_state(CallContext& context, ObjectId module);
// A tensor that gets other data may be any registered one of its place.
void displace_parameters(State& state, const Value& tensor);
bool module_effect(CallContext& context, models::Effect effect, Exits& exits);
void move_module(State& state, ObjectId module, const Place& place, OriginId origin);
// Makes a library module with its state on the CPU.
Value make_library_module(CallContext& context, const std::string& class_name);
// Everything registered in a module and below, with dotted names; false where that is not known.
bool registered_tensors(const State& state, const Names& names, ObjectId module,
                        const std::string& prefix,
                        std::vector<std::pair<std::string, Value>>& found);
// An unknown value from a data loader that pins memory, or has worker processes (a forked one
// cannot use CUDA): as a tensor on the CPU, which it is if it is a tensor. Nothing for other
// values.
std::optional<Value> batch_tensor(CallContext& context, const Value& value);
// Where `value` is such a batch or a part of one, it may have been changed in place: from now on no
// unknown value from a loader is taken for a tensor on the CPU.
void note_changed_batch(CallContext& context, const Value& value);
// What a module has registered, or may have: of one of which not all is known, the modules that it
// holds.
std::vector<Value> registered_values(const Object& module);
// The place of a module's state, where all of it is at one.
Value parameter_of(Activation& activation, State& state, ObjectId module);
// Whether all that is registered in a module itself is known by name. A library's layers have more
// than is followed here, and loops fill lists whose elements are numbered.
bool has_known_names(CallContext& context, const Object& module);
// The first element of a list of parameters, or the last: where all of them are, if it is not known
// which that is.
Value end_parameter_of(Activation& activation, State& state, const Value& list, bool last);

// --- effects_submodules.cc ---
// A module, and those that are registered within it.
std::set<ObjectId> modules_below(const State& state, ObjectId root);
// Whether only the place of a module's state is known, and not its layers: a network that a library
// makes, or an object of a class that derives from such a network.
bool is_network(CallContext& context, ObjectId module);
bool derives_from_network(Activation& activation, const ir::Class& type);
// torchvision's names for the layers of its networks that hold most of their state; and for those
// without state, whose result is where their input is.
bool names_part_of_network(std::string_view name);
bool names_stateless_part(std::string_view name);
// Some of its layers. They share its state: they are moved with it, and it is where they are.
Value part_of_network(CallContext& context, ObjectId network);
// The layers with that name, which can also be moved without the others.
Value part_of_network(CallContext& context, ObjectId network, Name name);
// The same of a layer that has no parameters.
Value stateless_part_of_network(CallContext& context, ObjectId network, Name name);
// Of a network of which some layers are in `moved`, and which was not moved as a whole, the place
// of the other layers is unknown from here on.
void forget_rest_of_networks(CallContext& context, ObjectId moved);
// children(), modules(), apply(), as<T>() and checked casts between classes of modules.
bool submodule_effect(CallContext& context, models::Effect effect, Value& result);

// --- dynamic_buffers.cc ---
// Keeps what is saved in a buffer in memory; false where `file` is none. What is saved there twice
// is not known.
bool write_buffer(CallContext& context, const Value& file, const Value& saved);
// What a buffer in memory holds; nothing where `file` is none.
std::optional<Value> read_buffer(CallContext& context, const Value& file);

// --- module_clones.cc ---
// A copy of `original` as Module::clone() makes it, with its state at `place`; without one, each
// tensor stays on its device. `copy` numbers the copies that one call makes.
Value clone_of(CallContext& context, ObjectId original, const std::optional<Place>& place,
               uint32_t copy = 0);
// Notes what fails where the module is cloned, and changes nothing.
void try_clone(CallContext& context, ObjectId original);

// --- effects_parallel.cc ---
inline constexpr std::string_view kDataParallel = "placecheck::parallel::DataParallel";
bool parallel_effect(CallContext& context, models::Effect effect, Value& result);
// The global that says, where the second replica runs, on which device that is.
// The field of a list of numbers that only counts.
inline constexpr std::string_view kIsRange = "<a range>";
inline constexpr std::string_view kReplicaRuns = "<the replica that runs>";
// The fields of a list to which each replica adds a tensor: that of the first and of the second.
inline constexpr std::string_view kOfFirstReplica = "<of the first replica>";
inline constexpr std::string_view kOfSecondReplica = "<of the second replica>";
// Whether a data-parallel module certainly divides its input: a tensor of several examples.
bool is_divided(CallContext& context, const Value& input);
// Whether the path has decided that there is no second device.
bool has_one_device(CallContext& context);
// Tells of what a replica returns, in the state that it leaves.
void note_gathered(CallContext& context, const State& state, const Value& output);
// The state in which the replica of `module` on `device` runs; what changes there is dropped with
// it.
State state_of_replica(CallContext& context, ObjectId module, const Place& device);

// --- effects_modes.cc ---
// train(), train(false), eval(): of the module and of all below.
void set_mode(CallContext& context, ObjectId module);
// Whether a module is in training; a symbol where that is not known.
Value mode_of(CallContext& context, ObjectId module);
bool is_certainly_training(CallContext& context, ObjectId module);

// --- effects_files.cc ---
bool file_effect(CallContext& context, models::Effect effect, Value& result);
// What is read from a file, and onto which device.
struct FileSource {
  Name slot = 0;
  bool is_literal = false;
  Value record;                // as it was saved; unknown if the program did not save it
  std::optional<Place> asked;  // by a device that was given
  bool may_be_asked = false;   // something was given that is not known
};
FileSource file_source(CallContext& context, size_t file);
// The device onto which it is read: without one that was asked for, where it was when it was saved.
// `displaced`: where it had been before, if that is known.
Value placed_by(CallContext& context, const FileSource& source, const Place& displaced);
void load_module(CallContext& context, ObjectId module, const FileSource& source);
// A list of the keys of a module's state, with its place; unknown where they are not known.
Value module_record(CallContext& context, ObjectId module);
// From here on the program knows what is in `file`: a path, or a stream.
void write_file(CallContext& context, const Value& file, const Value& record);

// --- effects_streams.cc ---
bool stream_effect(CallContext& context, models::Effect effect, Value& result);
// The object of a stream; kNoObject where a value leads to none.
ObjectId stream_object(CallContext& context, const Value& value);
// What a file holds that pickled bytes were written to: such bytes.
std::optional<Value> bytes_of_file(CallContext& context, const Value& stream);
// The path that a stream stands for; another value is one itself.
Value path_of(CallContext& context, const Value& file);
// False where something was written to that stream before: what it holds is several things.
bool write_once(CallContext& context, const Value& file);

// --- missed_names.cc ---
// `names`, those of the tensors of a wrapped module, are asked whether they begin so.
void note_missed_beginning(CallContext& context, std::span<const std::string> names,
                           std::string_view beginning);
// One of the names of a module's tensors, where it is not known which; a text of which nothing is
// known where the module's names are not.
Value name_in_module(CallContext& context, const Value& parameters);
// Such a name is asked whether it begins with one of these.
void note_asked_beginnings(CallContext& context, const Value& name,
                           std::span<const std::string> beginnings);
// Something is put into a table under `key`.
void note_name_as_key(CallContext& context, ObjectId table, const Value& key);
// Whether a name is a key of a table, as far as the names of wrapped modules decide that.
std::optional<bool> name_is_in(CallContext& context, const Value& name, const Object& table);
// A table is updated with one that is empty.
void note_empty_update(CallContext& context, const Object& table);

// --- effects_text_streams.cc ---
bool text_stream_effect(CallContext& context, models::Effect effect, Value& result);
// Who opens the file under the same path reads what was written to the stream.
void keep_in_file(CallContext& context, ObjectId stream, const Value& path);
// What is read from a new stream: a text, or what was written to a file.
void begin_text(CallContext& context, ObjectId stream, const Value& text);
void begin_text_of_file(CallContext& context, ObjectId stream, Name slot);
// Something else than text is written to the stream of the call at hand.
void lose_text(CallContext& context);

// --- effects_archives.cc ---
bool archive_effect(CallContext& context, models::Effect effect, Value& result);

// --- effects_state_dict.cc ---
// An entry of a module's named parameters: its name, which is a key, and its tensor.
Value named_parameter(CallContext& context, const Value& parameters);
// What stands for each of these names.
Value key_of(CallContext& context, const KeySet& keys, uint32_t ordinal);
// All names that an argument stands for, where it does.
std::optional<std::vector<std::string>> keys_meant(CallContext& context, size_t argument);
// The names of the module's tensors, as the program has changed them.
std::optional<std::vector<std::string>> names_of_keys(CallContext& context, const KeySet& keys);
// What `holds` says of each name that `key` stands for. Where that differs, the path goes on with
// some of the names, and none are known from there on.
std::optional<bool> each_key(CallContext& context, const Value& key,
                             const std::function<bool(std::string_view)>& holds);
// Keys and values of such entries, and looking the keys of one module up among another's.
bool state_dict_call(CallContext& context, Value& result);

// --- effects_data.cc ---
bool data_effect(CallContext& context, models::Effect effect, Value& result);
bool is_loader(const Object& object, const Names& names);
// One element of a data set or loader, in the shape in which a loop sees it.
Exits dataset_element(CallContext& context, const Value& dataset);
// Of which only the type is known.
Value unknown_element(CallContext& context);
bool dataset_call(CallContext& context, Value& result);

// --- effects_loops.cc ---
// "loop.begin", "loop.more", "loop.element", "loop.next": what a loop over a range goes through.
Exits loop_call(CallContext& context);
// Whether a loop over the list keeps its iterations apart. In a function with loops over devices a
// list may hold their numbers; of what there is for each device, however many there are, that of
// the first ones is looked at.
bool is_taken_one_by_one(CallContext& context, const Object& list);
// An operation that takes an operand on the host only tells of one that is known to be on a GPU.
// `parameter`: empty where it has one operand.
void note_host_operand(CallContext& context, const Value& operand, const ir::Range& range,
                       std::string_view operation, std::string_view parameter = {});
// Whether the tensor, if it is on the host, is in memory that devices reach.
void note_pinned(CallContext& context, Value& tensor, rules::Trait pinned);
// The `number` of options that ask for such memory, or may.
int64_t pinning(const Value& wanted);

// --- effects_scalars.cc ---
// std::min and std::max of two numbers.
// A condition that the program knows and the analysis does not: a branch on it makes the state
// inexact until its two ways meet.
Value lost_answer(CallContext& context);
bool choice_effect(CallContext& context, models::Effect effect, Value& result);
// Arithmetic of a number and a batch of which nothing else is known, where no list permits it: a
// list is repeated by an integer. Nothing for other calls.
std::optional<Exits> arithmetic_of_batch(CallContext& context);
// Whether there is a tensor in an optional: one exit for each answer. Nothing for other calls.
std::optional<Exits> presence_of_tensor(CallContext& context);
// Of the IR's own operations: "op.add", "op.lt", ...
bool is_scalar_operation(const std::string& name);
// Those, and the operators of classes that mean the same. False where it is none.
bool scalar_operation(CallContext& context, Value& result);

// --- effects_text.cc ---
bool text_effect(CallContext& context, models::Effect effect, Value& result);
// A known text before one of the names of a module's tensors; none for anything else.
std::optional<Value> prefixed_key(CallContext& context, const Value& prefix, const Value& key);
// Whether the first letters of such a name are a wrapper's prefix.
std::optional<Value> compares_beginning(CallContext& context, std::string_view operation,
                                        const Value& a, const Value& b);
// What methods of texts without a model are asked of such a name.
void note_other_question(CallContext& context);
// Whether a condition is a question about a text that is not known, whoever asks it.
bool asks_about_text(std::string_view key);

// --- effects_generators.cc ---
bool generator_effect(CallContext& context, models::Effect effect, Value& result);
Value generator_on(CallContext& context, const Place& place);
bool is_generator(CallContext& context, const Value& value);
// `generator`, which argument `source` is, draws numbers for a tensor at `needed`.
void note_generator_use(CallContext& context, const Value& generator, size_t source,
                        const Place& needed, OriginId needed_at, std::string operation = {});
// The generators among the arguments draw the numbers of that tensor.
void note_generators(CallContext& context, const Value& drawn);

// --- effects_algorithms.cc ---
// std::for_each, std::any_of, std::transform, std::sort and their like. False where it is not known
// what they do.
bool algorithm_effect(CallContext& context, models::Effect effect, Exits& exits);

// --- effects_containers.cc ---
bool container_effect(CallContext& context, models::Effect effect, Value& result);
// How many elements a container has that may hold further ones: the same answer until it changes.
Value unknown_length(CallContext& context, ObjectId container);

}  // namespace placecheck::dataflow
