// What the interpreter tells the checks: the moments of a program at which a rule can be broken.
// Observers may read the state; they cannot change it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analyzer/dataflow/state.h"
#include "analyzer/models/operators/operators.h"
#include "rules/facts.h"

namespace placecheck::dataflow {

// Somewhere in the source.
struct Site {
  const ir::Unit* unit = nullptr;
  ir::Range range;

  bool valid() const { return unit != nullptr && range.valid(); }
};

// Why something is where it is.
enum class OriginKind : uint8_t {
  kCreated,    // a tensor was made, on the default device or the one named
  kMoved,      // it was transferred, or its module was moved
  kBuilt,      // a module was made: its state is on the CPU
  kLoaded,     // it came out of a file
  kYielded,    // a data loader yields it
  kComputed,   // an operation made it
  kMet,        // a module of unknown place was used with a value of this place
  kNamed,      // a device was named, or a list of devices set
  kAllocated,  // memory, or a handle, was made
};

// What a data loader was told when it was made.
struct LoaderFacts {
  OriginId made_at = 0;  // 0: there is none
  rules::Trait has_workers = rules::Trait::kUnknown;
  rules::Trait pins = rules::Trait::kUnknown;
  bool stacks = false;          // with PyTorch's default collation: no tensor of a batch is 0-dim
  bool yields_on_host = false;  // on the CPU: by workers, pinned memory, or the data set's code
};

struct Origin {
  OriginKind kind = OriginKind::kCreated;
  Site site;
  // kCreated, kMoved: on a device that is written there, or the default one.
  bool fixed = false;
  bool is_resized = true;  // kMoved: what is moved may have other sizes than it was created with
  // Memory of the host that devices reach.
  rules::Trait pinned = rules::Trait::kNo;
  LoaderFacts loader;  // that yielded it
  // kLoaded: onto the device that the file was saved from, because no other was asked for.
  bool by_file = false;
  Name file = 0;            // which, as the program names it
  bool is_literal = false;  // that name is the file's
  Place displaced;          // where what was loaded had been moved before
  OriginId saved_at = 0;

  // Nothing but moves lies between the factory of the tensor and this.
  bool has_created_sizes() const {
    return kind == OriginKind::kCreated || (kind == OriginKind::kMoved && !is_resized);
  }
};

// One value that an operation combines with others.
inline constexpr std::string_view kIndexRole = "index";

struct Operand {
  Value decider;  // the value that says where it is
  Place place;
  Rank rank = Rank::kUnknown;
  ir::Range range;          // as written at the operation; may be invalid
  std::string role;         // "index", or for operands that are not written: "weight"
  std::string description;  // for people, filled where it is known better than the source says
  bool is_module_state = false;
  bool is_written = false;      // in place, or as the output that was given
  bool is_part = false;         // one of several that are written as one: of a list, or of a batch
  ObjectId module = kNoObject;  // whose state it is, where that is known
  bool stray = false;
  Name member = 0;  // of a stray one: "class key\nfield"
  OriginId origin = 0;
};

// An operation, layer or loss combines values.
struct MeetEvent {
  Site site;
  std::string operation;  // "addmm", "torch::nn::LinearImpl::forward"
  models::DeviceRule rule = models::DeviceRule::kComposite;
  std::vector<Operand> operands;
  std::vector<Site> inner;  // the operation itself, where `site` is the module call around it
  std::string inner_operation;
};

enum class ModuleAction : uint8_t { kMoved, kOptimized, kSaved, kLoaded, kSwitched };

struct ModuleEvent {
  Site site;
  ModuleAction action = ModuleAction::kMoved;
  ObjectId module = kNoObject;
  std::string method;  // "train", "eval", "to", ...
};

// A module is wrapped for training by several processes.
struct DistributedWrapEvent {
  Site site;
  ObjectId module = kNoObject;
  std::vector<std::string> device_ids;  // as Python prints them; empty: none, or not known
  bool lacks_group = false;             // no process group was made before
  bool needs_gpu = false;  // nccl is to broadcast the parameters, and no device is listed
};

// A data-parallel wrapper that checks placement runs.
struct ParallelForwardEvent {
  Site site;
  ObjectId module = kNoObject;  // the wrapped one
  ir::Range receiver;
  Place first_device;
  OriginId wrapped_at = 0;
};

// A file is written, with all that it holds at one place.
struct SaveEvent {
  Site site;
  std::string file;  // as the program names it; empty: not known
  bool is_literal = false;
  Place place;
};

// A module is copied to several devices, run there, and the copies are dropped.
struct ReplicateEvent {
  Site site;
  ObjectId module = kNoObject;
  bool is_training = false;  // certainly
  // The copy on the first device has the module's own buffers.
  bool shares_buffers = false;
  // The program keeps the copies, beyond the function that makes them.
  bool keeps_copies = false;
};

// The replicas of a module return a tensor that is gathered.
struct GatherEvent {
  Site site;
  Place place;  // of the tensor of one replica
  OriginId origin = 0;
  bool is_by_libtorch = false;  // torch::nn::parallel::data_parallel
};

// How saved keys are asked for, which decides what is said of a missing one.
enum class KeyReader : uint8_t {
  kTable,        // by name, among others: torch::OrderedDict
  kMap,          // by name, in a std::map
  kHashMap,      // by name, in a std::unordered_map
  kDict,         // by name, in a c10::Dict
  kProgram,      // by name; the program raises an exception of its own
  kName,         // one name that is spelled out, of a module's own
  kModuleName,   // the same of a module within it
  kChildName,    // and of a module that is registered in it
  kArchiveTree,  // an archive for each submodule
  kArchive,      // by name, in one archive
  kCheckpoint,   // by name, in a table that was read from a file
  kStateDict,    // all names at once, which have to be those of the module
  kDevice,       // by the text of a device, in a dict
  kWrapped,      // "module", the first part of a wrapped module's names, in a table of parts
};

// Saved state is loaded into a module.
struct LoadStateEvent {
  Site site;
  std::vector<std::string> saved_keys;
  std::vector<std::string> expected_keys;
  std::string type_name;  // of the module
  bool strict = true;
  OriginId saved_at = 0;
  KeyReader reader = KeyReader::kTable;
  // By name: what was looked in for the names of which module. Equal for the same of both.
  std::string look_up;
};

// A name that is spelled out is asked for, and is not there.
struct MissingKeyEvent {
  Site site;
  std::string key;
  std::vector<std::string> there;  // instead
  std::string type_name;           // of the module; empty for an archive
  rules::Trait is_there = rules::Trait::kNo;
  OriginId saved_at = 0;  // the archive
  KeyReader reader = KeyReader::kName;
};

// A tensor was moved, and the result is not used.
struct DiscardedTransferEvent {
  Site site;
  ir::Range receiver;
  std::string method;
  bool converts = false;  // only to another type of elements: nothing would move
};

// A condition on where tensors live decides that the program raises an exception.
struct FailedCheckEvent {
  Site site;                      // of the condition
  std::vector<Operand> operands;  // the tensors that it asks, where they are seen in it
  Place wanted;                   // what they are compared with, where that is one device
  std::string text;               // how the exception begins, where that is a literal
};

// An attribute is asked of a data-parallel wrapper that only the module inside of it has.
struct WrapperAttributeEvent {
  Site site;
  ir::Range receiver;
  std::string attribute;
  std::string wrapper;   // its class
  bool is_bare = false;  // `module` is asked of a module of that class, which is not wrapped
};

// Names of a wrapped module's tensors, which begin with "module.", are compared with those of the
// module inside: with how these begin, or with the keys of a table. None is equal.
struct MissedNamesEvent {
  enum class Question { kBeginning, kMembership, kUpdate };
  Site site;
  Question question = Question::kBeginning;
  std::string asked;      // what none begins with, or one of the names that the table lacks
  OriginId asked_at = 0;  // kUpdate: where the names were looked up that nothing is left of
};

// The first parameter is asked of a replica of a data-parallel module, which has none of its own.
struct ReplicaParametersEvent {
  Site site;
};

// A collective of NCCL is given a tensor of the CPU.
struct CollectiveOperandEvent {
  Site site;
  ir::Range range;  // of the tensor, as written; may be invalid
  std::string operation;
  OriginId origin = 0;
};

// A rank calls what all ranks of the group call together.
struct CollectiveCallEvent {
  Site site;
  std::string operation;
  std::string function;  // in which it is called
};

// A call that cannot be followed, of a program without types.
struct UnfollowedCallEvent {
  std::string function;  // as the call names it
};

// What each of several ranks uses NCCL on: a tensor, a module, the device that is current.
struct RankDeviceEvent {
  Site site;
  ir::Range range;        // of the tensor, as written; may be invalid
  std::string operation;  // "all_reduce()", "ncclCommInitRank()"
  ObjectId module = kNoObject;
  bool is_listed = false;  // the device is the one of `device_ids`
  Place place;
  OriginId origin = 0;
};

// An operation takes an operand on the host only, and is given one on a GPU.
struct HostOperandEvent {
  Site site;
  ir::Range range;        // of the operand, as written; may be invalid
  std::string operation;  // as the program names it
  std::string parameter;  // "lengths"
  Place place;
  OriginId origin = 0;
};

// A tensor is made an array of the host, without a copy.
struct HostArrayEvent {
  Site site;
  ir::Range range;          // of the tensor, as written; may be invalid
  bool is_element = false;  // of a list, which is what is written there
  Place place;
  OriginId origin = 0;
};

// A tensor, or what a data loader yields, is copied from the host to a device.
struct UploadEvent {
  Site site;
  ir::Range range;               // of what is copied, as written; may be invalid
  bool is_asynchronous = false;  // the program asks not to wait
  OriginId origin = 0;
};

// The host reads what a tensor of a device holds, and waits for that until it is computed.
struct HostWaitEvent {
  Site site;
  ir::Range range;        // of the tensor, as written; may be invalid
  std::string operation;  // "item", "print"
  Place place;
};

// A known part is taken out of a text.
struct CutTextEvent {
  Site site;
  std::string part;               // what is looked for
  bool every = false;             // wherever it occurs
  bool by_pattern = false;        // `part` is a regular expression
  std::optional<int64_t> length;  // of what is cut off at the beginning, which is `part`
  // Its characters are cut off, in any order: a key that loses more than `part`, and what is left.
  std::string eaten_key;
  std::string left_of_it;
};

// A device is named by a text.
struct DeviceTextEvent {
  Site site;
  std::string text;
  bool is_whole = true;    // false: only the beginning is known
  bool is_number = false;  // where a device, or its name, is asked for
  std::string variable;    // the text is a value of this variable of the environment
};

// What is to be trained is the result of a transfer, which autograd derives from the tensor that
// was made: an optimizer is given it, or it becomes a member of a module, and no parameter of it.
struct NonLeafEvent {
  Site site;
  ir::Range operand;
  OriginId moved = 0;
  std::string member;      // empty: an optimizer
  std::string class_name;  // of the module
};

// What several replicas of a data-parallel module have returned as a number each is used as one.
struct GatheredScalarsEvent {
  Site site;
  ir::Range receiver;
  std::string method;
  OriginId gathered = 0;
};

// A guard that was to select another device has no name, and ends with its statement, or it ends
// with a function that does nothing on the device.
struct DroppedGuardEvent {
  Site site;
  Place wanted;
  Place current;
  bool is_named = false;
};

// Module::clone() ends with an error.
struct FailedCloneEvent {
  enum class Cause : uint8_t {
    kNotCloneable,  // the class leaves clone() as Module has it
    // Its reset() registers another number of them than the original has.
    kParameters,
    kBuffers,
    kModules,
  };

  Site site;
  Cause cause = Cause::kNotCloneable;
  std::string class_name;
  Site class_site;
};

// torch.autocast is given a device where it takes the type of one.
struct AutocastTypeEvent {
  Site site;
};

// An optimizer updates parameters with state that it made, or loaded, where they were before.
struct OptimizerStepEvent {
  Site site;
  ir::Range receiver;
  Place state;
  OriginId state_origin = 0;
  Place parameters;
  OriginId parameters_origin = 0;
};

// An optimizer makes a step for a module of which a child was replaced since it was made: it
// updates the parameters of the old child, and nothing updates those of the new one.
struct StaleOptimizerEvent {
  Site site;
  OriginId optimizer = 0;  // where it was made
  OriginId replaced = 0;   // where the new child took the place of the old one
  // What it updates is a module of which a copy, made at `replaced`, is trained in its place.
  bool is_copied = false;
  // What it updates is a registered parameter; the member for it was moved at `replaced`, and is a
  // copy.
  bool is_member = false;
};

// A numbered device is used, in a program of which it is known how many it sees.
struct DeviceIndexEvent {
  Site site;
  int64_t index = 0;
  int64_t devices = 0;
  bool is_count = false;    // the index is how many devices there are, or more
  bool is_of_last = false;  // a loop over the devices computes that from the number of the last one
  bool is_of_node = false;  // so many times the number of devices as a program is told, and more
  bool is_listed = false;   // by a list that the program set
  // The number is all that the list holds, of which the program knows no more: seen from it, the
  // device is number 0.
  bool is_physical = false;
  std::string list;
  OriginId named_at = 0;
  OriginId listed_at = 0;
};

// What is loaded without a device was saved from one that this program does not see.
struct SavedDeviceEvent {
  Site site;
  int64_t index = 0;
  int64_t devices = 0;  // that it sees
  OriginId saved_at = 0;
  OriginId listed_at = 0;  // where it sets the visible ones
};

// The list of visible devices is set.
struct VisibleListEvent {
  Site site;
  bool is_known = false;
  std::string list;
  DeviceSetup::Start start = DeviceSetup::Start::kUnknown;
  OriginId started_at = 0;
  bool in_child = false;  // of another process, which ends
  // Given as several texts, which the call does not take: as one list.
  bool is_in_pieces = false;
};

// Memory that something uses, or that is given back.
struct MemoryFact {
  Place place;
  bool is_pinned = false;  // of the host, and in reach of the devices
  OriginId origin = 0;
  ir::Range range;     // as written at the use
  std::string member;  // the field of what is written there that leads to it
};

enum class MemoryUser : uint8_t {
  kDevice,         // code on a device
  kHost,           // the program itself
  kDeviceRelease,  // the call that gives back memory of a device
  kHostRelease,    // of the host
  kPinnedRelease,  // pinned memory
};

struct MemoryUseEvent {
  Site site;
  std::string operation;  // "launch", "cudaMemset", "" for an access of the language
  MemoryUser user = MemoryUser::kDevice;
  MemoryFact memory;
  Place current;             // the device on which it runs
  OriginId selected_at = 0;  // where that was selected
  bool shared = false;       // devices may use each other's memory
};

struct MemoryCopyEvent {
  Site site;
  std::string operation;
  MemoryFact to, from;
  std::optional<int64_t> direction;  // none: from device to device
  // Where the call says which devices these are.
  std::optional<Place> to_device, from_device;
};

// What a handle is that numbers are drawn with.
inline constexpr char kGenerator[] = "generator";

// A stream, an event, a library handle or a generator is used for a device.
struct HandleUseEvent {
  Site site;
  std::string operation;
  std::string what;  // "stream", kGenerator, ...
  ir::Range range;
  Place place;  // where it was made
  OriginId origin = 0;
  Place needed;
  OriginId needed_at = 0;
};

// Ranks of one thread ask for something together, or should.
struct CollectiveEvent {
  enum class Kind : uint8_t {
    kDevices,    // communicators are made for `devices`
    kUngrouped,  // two ranks outside of a group: `calls`
    kGrouped,    // two ranks in a group: `calls`
    kOpen,       // the program ends in a group that was opened at `site`
    kUnopened,   // a group is closed that was never opened
    kRoot,       // the one of `calls` names its root among `ranks` ranks
  };
  Site site;
  Kind kind = Kind::kDevices;
  std::string operation;
  std::vector<Place> devices;
  std::vector<Collective> calls;
  int64_t ranks = 0;
  bool is_beyond_ranks = false;  // kRoot: the root is the number of ranks, or more; it is not known
};

// Work is given to the current device: a kernel, a library's routine, a copy.
struct DeviceWorkEvent {
  enum class Stream : uint8_t { kNone, kDefault, kGiven };
  Site site;
  std::string operation;  // "launch", "cublasSgemm_v2", ...
  bool is_kernel = false;
  std::vector<MemoryFact> operands;  // of each pointer, also where nothing is known of it
  Stream stream = Stream::kNone;     // kNone: the operation takes none
  Place current;                     // as selected here; see `is_callers`
  bool is_callers = false;           // on every path: nothing was selected since the entry
  OriginId selected_at = 0;
  OriginId released_at = 0;  // where the last guard ended
};

// A function ends while another device is current than when it was called.
struct DeviceLeftEvent {
  Site site;  // of the function, or of what raises an exception
  Place current;
  OriginId selected_at = 0;
  bool raises = false;
};

// The current device is asked, always the same one, in a loop over the devices.
struct DeviceQueryEvent {
  Site site;
  Place current;
};

// The host reads memory that a copy from a device, which nothing has waited for, may still write.
struct EarlyReadEvent {
  Site site;
  std::string operation;  // "item", "accessor", "" for an access of the language
  ir::Range range;        // what is read, as written there; may be invalid
  Site copied_at;
};

using Event =
    std::variant<MeetEvent, ModuleEvent, DistributedWrapEvent, ParallelForwardEvent, LoadStateEvent,
                 MissingKeyEvent, ReplicateEvent, GatherEvent, SaveEvent, DiscardedTransferEvent,
                 FailedCheckEvent, WrapperAttributeEvent, ReplicaParametersEvent, HostArrayEvent,
                 HostOperandEvent, CollectiveOperandEvent, CollectiveCallEvent, UnfollowedCallEvent,
                 RankDeviceEvent, OptimizerStepEvent, StaleOptimizerEvent, UploadEvent,
                 HostWaitEvent, CutTextEvent, DeviceTextEvent, AutocastTypeEvent, NonLeafEvent,
                 GatheredScalarsEvent, DroppedGuardEvent, FailedCloneEvent, DeviceIndexEvent,
                 SavedDeviceEvent, VisibleListEvent, MemoryUseEvent, MemoryCopyEvent,
                 HandleUseEvent, CollectiveEvent, DeviceWorkEvent, DeviceLeftEvent,
                 DeviceQueryEvent, EarlyReadEvent, MissedNamesEvent>;

}  // namespace placecheck::dataflow
