// The interpreter: runs a program's functions on abstract states.
//
// A function is run once for each different abstract input (its arguments, what they reach, the
// globals); the outcome is kept and instantiated at every other call with the same input. Within a
// function, states are kept apart per path while there are few of them, and joined beyond that.
// Every loop has a budget: running out yields "unknown", which no rule reports.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/dataflow/events.h"
#include "analyzer/dataflow/global_use.h"
#include "analyzer/dataflow/peers.h"
#include "analyzer/dataflow/place_recorder.h"
#include "analyzer/dataflow/program_index.h"
#include "analyzer/dataflow/saved_files.h"
#include "analyzer/dataflow/state.h"
#include "analyzer/models/libraries/user_models.h"

namespace placecheck::dataflow {

// The ways in which a call can end: the state after it, and its value.
struct Exit {
  State state;
  Value value;
  // The symbols that the callee has made and that its caller sees, sorted.
  std::vector<Name> made = {};
};
using Exits = std::vector<Exit>;

// What a program is started with.
struct CommandLine {
  bool is_known = true;
  std::vector<std::string> arguments;  // behind the program's name
};

struct EngineOptions {
  int devices = 2;                          // at least so many CUDA devices are assumed
  bool devices_given = false;               // and no more
  bool devices_counted = false;             // and the program, which asks, is told so
  std::optional<std::string> visible;       // CUDA_VISIBLE_DEVICES at the start; none: not set
  std::optional<CommandLine> command_line;  // none: options have their defaults
  bool shares_host_memory = false;          // devices reach all memory of the host
  bool shares_peer_memory = false;          // and that of each other
  uint64_t step_budget = 6'000'000;         // instructions and objects looked at, per entry point
  uint64_t program_budget = 10'000'000;     // the same, for all entry points together
  uint64_t export_budget = 300'000;         // for each exported function even where that is spent
  uint64_t memory_budget = uint64_t{1} << 30;  // about, in bytes: for all states kept at once
  uint32_t contexts_per_function = 1000;       // different inputs, per root
  uint32_t contexts_without_places = 4;        // the same, of functions that cannot concern places
  size_t states_per_block = 12;                // fewer where an entry point takes many steps
  size_t exits_per_call = 4;
  unsigned call_depth = 48;
  const models::UserModels* models = nullptr;  // looked up before the project's functions and ours
  std::vector<FoundFile> files;                // that other programs have saved
  bool record_places = false;                  // fill places()
  std::string trace_function;                  // print the states of this function
  std::function<void(const std::string&)> trace;
};

using SiteId = uint32_t;
constexpr SiteId kNoSite = 0;

// Whether something holds, by file and then line and column.
using HoldsAt = std::map<std::string, std::map<std::pair<uint32_t, uint32_t>, bool>>;

struct Coverage {
  // The operations with several operands that were reached: whether, in some context, the places of
  // all operands were known.
  HoldsAt operations;
  // Library calls without a model whose result could have had a place, by name.
  std::map<std::string, uint64_t> unmodelled;
  // The functions of which not every path was followed, or not for every input: file, line, name.
  std::set<std::tuple<std::string, uint32_t, std::string>> too_large;
  // The functions that the world calls: file, line, name.
  std::set<std::tuple<std::string, uint32_t, std::string>> exported;
  // The launches of kernels: whether one was reached from such a function.
  HoldsAt launches;

  void add(const Coverage& other);
};

// Where a program decides a condition, and what it writes there: the condition or its negation.
struct Decision {
  Site site;
  bool is_negated = false;
};
using Decisions = std::unordered_map<Name, Decision>;

struct Summary;

// What an observer may look at.
struct View {
  const State& state;
  uint64_t activation;  // the number of the call that runs; 0 outside of all
  const Names& names;
  const std::vector<Origin>& origins;
  ProgramIndex& program;
  const ir::Function* function;
  bool in_forward;  // of a module, or in what that calls
  const Decisions& decisions;
  // The function that the world calls from outside of the program, by name or as registered, on
  // whose behalf this runs; null where the analysis began elsewhere.
  const ir::Function* exported;
  bool is_later_call;           // the same arguments were handed to it before
  std::span<const Site> calls;  // in progress, outermost first
  // Some run may come here in this state; else nothing that it shows is a finding.
  bool is_exact() const { return state.is_exact(); }
};

using Observer = std::function<void(const Event&, const View&)>;

// Where an object is made: an instruction, the how-manieth there, where in the function that it
// calls, and in which turn of the loops around it. The same place makes the same abstract object on
// each path.
struct AllocationSite {
  const void* at = nullptr;
  uint32_t ordinal = 0;
  SiteId inner = 0;
  uint32_t turn = 0;
  auto operator<=>(const AllocationSite&) const = default;
};

class Activation;
struct Entry;
struct Prototype;

class Engine {
 public:
  Engine(const ir::Program& program, EngineOptions options, Observer observer);
  ~Engine();

  // Runs a function on a state of the caller's making, for `least` steps even where those of the
  // program are spent. Null where the budget ran out; what is returned stands until the next run.
  const Summary* run_root(const ir::Function& function, const State& state,
                          const std::vector<Value>& arguments, uint64_t least = 0);
  // The same for a function that is registered for callers outside of the program: arguments and
  // current device are theirs. Where a call leaves something for later ones, they call it again.
  void run_exported(const ir::Function& function, const State& state,
                    const std::vector<Value>& arguments);
  // The state in which a program starts: its globals initialised.
  State initial_state();
  // A value of a type of which nothing is known but that it is itself, called `symbol`.
  // `allocate` yields the ids of the objects that it takes.
  Value symbolic(const ir::Type& type, Name symbol, State& state,
                 const std::function<ObjectId()>& allocate, const ir::Unit* unit);
  // What a caller of whom nothing is known gives to the function's parameters, from `first` on.
  std::vector<Value> unknown_arguments(const ir::Function& function, State& state,
                                       size_t first = 0);
  OriginId add_origin(OriginKind kind, Site site);
  bool was_visited(const ir::Function& function) const { return visited_.count(&function) != 0; }
  // Judges what had to wait until all of the program was seen.
  void settle();
  Coverage& coverage() { return coverage_; }
  // The program saves a file, or loads one that it has not saved.
  // What it saves in a state that is not exact counts only if it saves nothing else there.
  void note_saved_file(const std::string& slot, SavedValue record, const Site& site, bool is_exact);
  void note_sought_file(const std::string& slot) { files_.sought.insert(slot); }
  FileTraffic take_files() { return std::move(files_); }
  const DoubtfulCalls& doubtful_calls() const { return doubtful_calls_; }
  // Where each expression's value was, if the options ask for it.
  PlaceTable take_places() { return recorder_ ? std::move(recorder_->table()) : PlaceTable(); }
  ProgramIndex& program() { return program_; }
  Names& names() { return names_; }
  bool follows_setup() const { return follows_setup_; }
  bool follows_modes() const { return follows_modes_; }

 private:
  friend class Activation;

  void note_too_large(const ir::Function& function);
  // The exported function at hand ends with an exception, in this state.
  void note_raise(const Site& site, const State& state);
  bool is_exhausted() const {
    return steps_ >= root_budget_ || kept_bytes_ >= options_.memory_budget;
  }
  // Paths that are kept apart at one block: the longer an entry point runs, the fewer.
  size_t states_per_block() const;
  // Frees kept outcomes when they grow beyond bounds; those in progress stay.
  void evict_summaries();

  // What the function can see of a state in which it is called.
  Entry entry_of(const ir::Function& function, const State& state,
                 const std::vector<Value>& arguments) const;
  // The outcome of a function for one input; null where the budget or the depth ran out.
  const Summary* summarize(const ir::Function& function, Entry& entry);
  SiteId site_id(const AllocationSite& site);
  // In the order in which instructions are first asked for: the same in each run.
  uint32_t number_of(const ir::Instruction& instruction);
  // What a module of that class consists of; null where its constructor does not settle that.
  const Prototype* prototype_of(const ir::Class& type);
  OriginId add_origin(Origin origin);
  void notify(const Event& event, const State& state, const ir::Function* function,
              const Summary* activation = nullptr);

  ProgramIndex program_;
  EngineOptions options_;
  Observer observer_;
  Names names_;
  GlobalUse global_use_;
  Decisions decisions_;  // the first of each condition
  std::vector<Origin> origins_{1};
  std::unordered_map<uint64_t, std::vector<std::unique_ptr<Summary>>> summaries_;
  uint64_t summaries_made_ = 0;
  DoubtfulCalls doubtful_calls_;
  FileTraffic files_;
  std::unordered_set<const ir::Function*> relevant_;  // that can concern places
  std::unordered_set<const ir::Function*> visited_;
  std::unordered_map<const ir::Function*, uint32_t> contexts_;  // of this root
  // Calls under the names that the values at hand gave them; their addresses are allocation sites.
  std::map<std::pair<const ir::Instruction*, std::string>, ir::Instruction> renamed_;
  std::unordered_map<const ir::Instruction*, uint32_t> numbers_;
  std::map<AllocationSite, SiteId> sites_;
  std::unordered_map<const ir::Class*, std::unique_ptr<Prototype>> prototypes_;
  uint64_t kept_objects_ = 0;
  Coverage coverage_;
  std::unique_ptr<PlaceRecorder> recorder_;  // null: nobody asks where values are
  bool is_dynamic_ = false;                  // its front end has no types
  bool follows_setup_ = false;               // the program writes the list of visible devices
  bool starts_processes_ = false;
  bool follows_modes_ = false;  // whether modules are in training decides something
  std::unordered_map<const ir::Function*, uint32_t> running_;  // how many calls of it are under way
  PeerAccess peers_;
  bool spells_prefix_ = false;  // see Followed
  bool reads_text_ = false;     // from streams, of which all is known
  bool pins_memory_ = false;    // some of the host's memory may be in the devices' reach
  const ir::Function* exported_ = nullptr;  // see View
  bool is_later_call_ = false;
  std::vector<std::pair<DeviceLeftEvent, State>> raises_;  // of it
  std::vector<Site> calls_;                                // see View
  uint64_t steps_ = 0;                                     // of the entry point at hand
  uint64_t root_budget_ = 0;                               // for them
  uint64_t kept_bytes_ = 0;                                // by the calls in progress
  uint64_t total_steps_ = 0;                               // of those before it
  unsigned depth_ = 0;
  unsigned forwards_ = 0;  // of modules, among the calls in progress
};

}  // namespace placecheck::dataflow
