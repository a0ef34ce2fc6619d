// One run of one function on one abstract input. Used by the engine and by the effects of library
// calls; lives on the interpreter's stack and dies with the run.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/engine.h"
#include "analyzer/dataflow/entry.h"
#include "analyzer/dataflow/iteration_numbers.h"

namespace placecheck::dataflow {

// Of a loop whose turns are kept apart.
inline constexpr int64_t kMostTurns = 8;

// A mismatch between two of a forward's inputs, to be judged at its call.
struct Pending {
  MeetEvent event;  // operands carry ordinals in `decider.input`
};

// What running a function on an entry came to.
struct Summary {
  uint64_t number = 0;  // each has its own
  Entry entry;
  std::vector<SiteId> sites;  // of the objects that it made, which follow those of the entry
  Exits exits;
  std::vector<Pending> pending;
  bool raises = false;         // on some path
  bool is_incomplete = false;  // a budget ran out: it may end in other ways, and do other things
  bool in_progress = true;
};

class Havoc;

// A module that is made up as a part of another has moved with it.
void move_along(State& state, ObjectId whole, ObjectId part);

// Fields of a stream: its text, and, where that is known, how many times something was read from
// it.
inline constexpr std::string_view kTextOfStream = "<text>";
inline constexpr std::string_view kReadsOfText = "<reads of text>";

// The field of a module that has a copy of a registered parameter in the member for it.
inline constexpr std::string_view kParameterInCopy = "<parameter in a copy>";

class Activation {
 public:
  Activation(Engine& engine, const ir::Function& function, Entry& entry, Summary& summary);
  Activation(const Activation&) = delete;
  Activation& operator=(const Activation&) = delete;
  ~Activation();

  void run();

  // --- For instructions and effects ---
  Engine& engine() { return engine_; }
  Names& names() { return engine_.names_; }
  ProgramIndex& program() { return engine_.program_; }
  const ir::Function& function() const { return function_; }
  const ir::Unit* unit() const { return layout_.unit; }
  Site site(const ir::Range& range) const { return {layout_.unit, range}; }
  Name name(std::string_view text) { return names().intern(text); }
  int assumed_devices() const { return engine_.options_.devices; }
  bool devices_are_given() const { return engine_.options_.devices_given; }
  bool devices_are_counted() const { return engine_.options_.devices_counted; }
  bool follows_setup() const { return engine_.follows_setup_; }
  bool program_starts_processes() const { return engine_.starts_processes_; }
  bool follows_modes() const { return engine_.follows_modes_; }
  PeerAccess& peers() { return engine_.peers_; }
  const std::optional<CommandLine>& command_line() const { return engine_.options_.command_line; }
  bool shares_host_memory() const { return engine_.options_.shares_host_memory; }
  bool pins_memory() const { return engine_.pins_memory_; }
  bool spells_prefix() const { return engine_.spells_prefix_; }
  // The program reads from a stream whose text is known, see kReadsOfText.
  void note_text_read() { engine_.reads_text_ = true; }
  // Of FunctionLayout::numbered_loops, the one that an instruction takes the elements of, or
  // numbers them; else null.
  const NumberedLoop* numbered_loop(const ir::Instruction& instruction) const;
  bool takes_all_elements(const ir::Instruction& element) const {
    return layout_.whole_loops.contains(element.result);
  }
  void note_iteration_number(uint32_t head, const IterationNumber& number);
  bool loops_over_devices() const { return !layout_.device_loops.empty(); }
  // The counters of the loops over the devices that an instruction is in, as they are now.
  std::vector<Value> device_counters(const ir::Instruction& instruction, const State& state) const;
  // Whether a counter has its value in some iteration behind the first.
  bool is_of_later_iteration(const Value& counter) const {
    return counter.is(ValueKind::kSymbol) && iteration_symbols_.contains(counter.name);
  }
  OriginId origin(OriginKind kind, const ir::Range& range) {
    return engine_.add_origin(kind, site(range));
  }
  OriginId add_origin(Origin origin) { return engine_.add_origin(origin); }
  const Origin& origin_of(OriginId id) const { return engine_.origins_[id]; }

  // The id of the `ordinal`-th object made at an instruction.
  ObjectId allocate(const void* at, uint32_t ordinal, SiteId inner = kNoSite);
  // A user's table of calls; null if there is none.
  const models::UserModels* user_models() const { return engine_.options_.models; }
  // The instruction whose result `value` is; null if there is none.
  const ir::Instruction* find_definition(ir::Register value) const;
  // What the only instruction that stores or binds the variable gives it; null if there are others.
  const ir::Instruction* find_only_definition(const std::string& variable) const;
  // Whether an instruction is in a loop of which every iteration comes to it, or ends in an
  // exception.
  bool runs_in_each_iteration(const ir::Instruction& instruction) const;
  // The instruction of a call, under another name.
  const ir::Instruction& renamed(const ir::Instruction& instruction, const std::string& name);
  // The same with other arguments: those at `sources`, or, beyond the end, some that nobody wrote.
  const ir::Instruction& rewritten(const ir::Instruction& instruction, const std::string& name,
                                   ir::CallKind kind, const std::string& key,
                                   const std::vector<size_t>& sources);
  // A symbol that is this instruction's result, whichever it is; `which` tells several apart.
  Value fresh_symbol(const ir::Instruction& instruction, State& state,
                     const std::string& which = {});
  // A value of a type of which nothing is known, called `label`. Its objects belong to `site`, and
  // are numbered from `first` there.
  Value symbolic(const ir::Type& type, Name label, State& state, const void* site,
                 uint32_t first = 0);
  // `symbol` names something new: what still has the name is no longer known by it.
  void renew(Name symbol, State& state);
  // Tells an instruction from others, in each run alike.
  std::string number_of(const ir::Instruction& instruction);

  // Runs a function of the project; the exits' states are the caller's. `sources` says which of the
  // instruction's arguments each of `arguments` is written as, where they are not the same ones.
  Exits invoke(const ir::Function& callee, std::vector<Value> arguments, const State& state,
               const ir::Instruction& instruction, const std::vector<size_t>* sources = nullptr);
  // Runs the destructor of an object that ends there, or leaves a block of Python.
  void destroy(State& state, const Value& value, const ir::Instruction& instruction);
  // Takes the place of a call of which nothing is known: what it can write is unknown afterwards.
  Value unknown_call(const ir::Instruction& instruction, const std::vector<Value>& arguments,
                     State& state);

  void havoc(const ir::Instruction& instruction, const std::vector<Value>& arguments, State& state,
             Name label);
  // The reason for what is unknown because this call is not followed; 0 where that is not recorded.
  GapId gap_of(const ir::Instruction& call) const {
    PlaceRecorder* recorder = engine_.recorder_.get();
    return recorder && layout_.unit ? recorder->gap_of(call, *layout_.unit) : 0;
  }

  // Reads a field, making it up where the object existed before the analysis began.
  Value field_address(State& state, const Value& object, const std::string& field);
  void assign(State& state, const Value& address, const Value& value);
  // A by-value copy: records and containers are cloned. Of several at one site, `first` and `inner`
  // tell the clones apart.
  Value copy(State& state, const Value& value, const void* site, uint32_t first = 0,
             SiteId inner = kNoSite);

  // What is at an address; a tensor in a module's member that nothing registered is marked stray.
  Value read_member(State& state, const Value& address);

  void meet(MeetEvent event, const State& state);
  void notify(const Event& event, const State& state) {
    engine_.notify(event, state, &function_, &summary_);
  }

  // Slots.
  uint32_t slot_index(const std::string& name) const;
  Value load_slot(State& state, const std::string& slot);
  void store_slot(State& state, const std::string& slot, const Value& value);
  // A member that is an array is there before anything is stored in it.
  void fill_member(State& state, const Value& address, const void* site);
  // Elements that are records are objects of their own. arrays.cc
  void separate_elements(State& state, const Value& container, const Value& index);
  void fill_element(State& state, const Value& address);
  void fill_row(State& state, const Value& address);
  Value address_of_slot(State& state, const std::string& slot);

  // Modules in turn that were made up, as a member of `owner`, are those that its constructor puts
  // there. prototype.cc
  void follow_prototype(State& state, ObjectId sequence, const ir::Class& owner, Name member,
                        const void* site);
  void adopt_children(State& state, ObjectId sequence, const State& from, ObjectId like,
                      const std::function<ObjectId()>& allocate);

 private:
  struct Turn {               // where a state stands in the loops around it
    bool may_leave = true;    // of a loop's head: the body has run
    std::set<uint32_t> last;  // heads of the loops whose last turn this is
    // Takes in another state's; true if that lets this one go further than before.
    bool admit(const Turn& other);
  };
  struct Frame {  // a state inside a block
    size_t next = 0;
    State state;
    std::vector<Value> registers;
    Turn turn;
  };
  struct Arrival {  // a state at the start of a block
    State state;
    Turn turn;
    bool is_due = false;  // the block has not been run from it as it is now
    uint64_t bytes = 0;   // that it was taken to need when it was kept
    // Of the state; cleared where that is changed.
    mutable std::array<std::optional<uint64_t>, 2> digests = {};

    uint64_t digest(Likeness likeness) const {
      std::optional<uint64_t>& kept = digests[static_cast<size_t>(likeness)];
      if (!kept) kept = dataflow::digest(state, likeness);
      return *kept;
    }
    void replace(State other) {
      state = std::move(other);
      digests = {};
    }
  };

  void enter_arguments(State& state);
  // What a parameter is called of whose argument nothing is known.
  Name identity_of_parameter(const ir::Parameter& parameter);
  void run_block(uint32_t block, Arrival arrival);
  void make_due(uint32_t block, Arrival& arrival);
  // Takes one more to those that have arrived, as the last, to go on from it.
  void keep(uint32_t block, Arrival arrival);
  // The next state to go on from, with its block; a block comes after those that lead to it.
  std::pair<uint32_t, Arrival> take_due();
  // Forgets the states at blocks to which none comes any more: a long function has very many.
  void release_before(uint32_t block);
  void release(uint32_t block);
  void give_up();  // a budget ran out
  void step(uint32_t block, Frame frame, std::vector<Frame>& work);
  void execute(const ir::Instruction& instruction, Frame& frame);
  void call(const ir::Instruction& instruction, Frame frame, std::vector<Frame>& work);
  bool is_about_forgotten(const State& state, Name condition);
  void branch(const ir::Instruction& instruction, uint32_t block, Frame& frame);
  // Whether a block does nothing but raise an exception in the end.
  bool raises(uint32_t block) const;
  // The loop of that head ends: a text that it appends to has got something.
  void fill_texts(const ir::Instruction& branch, uint32_t head, State& state);
  // identity.cc: values of which nothing is known, where variables have no types.
  Value identified(Value loaded, const ir::Instruction& load);
  Value identified(Value answer, const ir::Instruction& call, const std::vector<Value>& arguments,
                   const State& state);
  Value as_condition(const Value& condition, const State& state, const ir::Instruction& branch);
  // Told where a branch that is decided by where a tensor lives leads to an exception only.
  // failed_checks.cc
  void tell_failed_check(const ir::Instruction& branch, bool holds, const Frame& frame);
  void destroy_elements(State& state, const Object& container, const ir::Instruction& instruction);
  void destroy_guards(State& state, const Value& value);
  void crowd(uint32_t block, Arrival arrival);
  // Joins `other` into a state that arrived before. `are_unlike`: the two are not alike().
  void take_in(uint32_t block, Arrival& known, const Arrival& other, bool are_unlike);
  void leave(State state, const Value& value);
  void join_exits(Exit& into, const Exit& other, bool are_unlike);
  void join_two_exits();
  // Joins the exits where none is exact by itself, but one of them is certain to be taken.
  void join_doubtful_exits();
  void go_to(uint32_t block, Arrival arrival, uint32_t from);
  std::optional<bool> outcome(const State& state, const Value& value);
  bool is_certain_by_now(const ir::Instruction& call, const Entry& entry, const Doubts& doubts);
  // Loops over devices and short lists: their first turns are kept apart.
  bool counts(uint32_t head, const State& state) const;
  bool is_new_turn(uint32_t head, const State& state) const;
  // Whether one has read more of a text than the other, from the same stream.
  bool have_read_differently(const State& a, const State& b) const;
  // Whether the loop of that head has run for the number of devices: `i <= device_count()`.
  bool is_past_count(uint32_t head, const State& state) const;
  // At one block; of the iterations of a loop that are kept apart, there is room for each.
  size_t most_states(uint32_t block, const State& state) const;
  // Whether the iterations of the loop that it counts are kept apart.
  bool is_kept_apart(uint32_t counter, const State& state) const;
  // The counter of a loop over the devices; nothing of another loop.
  std::optional<Value> device_counter(uint32_t head, const State& state) const;
  // Whether a variable has a constant as in the first iteration, and a number's symbol as later.
  bool is_first_and_later(const Value& first, const Value& later) const;
  // Whether a variable has the number of one of the devices that there are at least, which its
  // remainder selects.
  bool is_taken_in_turn(size_t slot, const Value& number) const;
  bool are_different_turns(const State& a, const State& b) const;
  void consider_counting(uint32_t head, bool known, const Frame& frame);
  // Whether the elements of the range that the loop runs over are taken one by one.
  bool counts_elements(uint32_t head, const State& state) const;
  bool has_had_all_devices(uint32_t head, const State& state) const;
  // Where a loop up to the number of devices is at the last of the devices that are assumed: runs
  // its body for the last device of all, too, however many there are. Its state is dropped then.
  void visit_last_device(const ir::Instruction& branch, uint32_t head, const Frame& frame);
  // The counter's value in the iteration for that device; nothing where this one is not followed by
  // it.
  std::optional<Value> number_of_last_device(const ir::Instruction& branch, uint32_t head,
                                             const Frame& frame);
  // The counter of a loop that goes on where it is the number of devices, `i <= device_count()`:
  // of the iterations behind those for the devices this last one is certain.
  std::optional<uint32_t> counter_up_to_count(uint32_t head, const State& state,
                                              const Condition& goes_on) const;
  // Tells the turns apart in which a block runs, as far as they are kept apart.
  uint32_t turn_of(uint32_t block, const State& state) const;
  void tell_last_turns(uint32_t block, bool outcome, Turn& turn) const;
  bool agree_on_conditions(const State& a, const State& b);
  State join_alike(const State& a, const State& b, uint32_t block);
  void widen_scalars(uint32_t block, State& state, Turn& turn);
  // Applies what the iteration has decided of its number to its way back to the head.
  void end_iteration(uint32_t head, State& state, Turn& turn);
  // A variable at the head of a loop has passed the known bound up to which the loop counts it.
  bool has_passed_bound(uint32_t head, size_t slot, const State& state) const;
  // Only one of two states has passed that bound.
  bool has_ended_apart(uint32_t head, const State& a, const State& b) const;
  // The first iteration has set a flag, or a number that does not count: the loop, which runs once
  // at least, is not left with the value before.
  bool is_set_by_iteration(uint32_t head, size_t slot, const Value& before, const Value& now) const;
  bool is_entry_apart(uint32_t head, const Arrival& before, const Arrival& after) const;
  // Behind a loop that counts one by one, its counter is the number after the last iteration's.
  void end_counting(uint32_t head, State& state) const;
  // Of the variable from which a register was loaded; null if it was made otherwise.
  const ir::Type* type_of_loaded(ir::Register value) const;
  const CountedVariable* find_counted(uint32_t head, size_t slot) const;
  // The loop goes on while a variable that it counts up is below a bound.
  bool has_bound(uint32_t head) const;
  // Notes a widened variable as the iterations' number if it is a counter. `now`: what it was.
  void count_up(uint32_t head, size_t slot, const Value& now, State& state, Turn& turn);
  void note_member_copy(const State& state, Object& module, Name member, const Value& stored);
  void settle_recursion(const ir::Function& callee, std::vector<Value>& arguments);
  void replay_pending(const Summary& summary, const Entry& entry,
                      const std::vector<Value>& arguments, const State& state,
                      const ir::Instruction& instruction, const std::vector<size_t>* sources);
  bool is_forward() const;
  void havoc_globals(State& state, Havoc& havoc, Name label,
                     const std::function<bool(Name)>& is_chosen);
  void lose_other_globals(State& state, const Entry& callee, const ir::Instruction& instruction);
  bool takes_status(const ir::Call& call) const;
  bool meets_displaced(const std::vector<Operand>& operands) const;
  bool may_differ_by_rank(const std::vector<Operand>& operands, const State& state);
  Value unknown_result(const ir::Instruction& instruction, Name label, State& state);
  // For who watches: what an instruction came to is traced, or recorded.
  void watch(const ir::Instruction& instruction, Frame& frame);
  void trace(const ir::Instruction& instruction, const Value& result, const State& state);
  Value merge_scalars(const Value& old, const Value& now, uint32_t block, const std::string& where,
                      State& state);

  Engine& engine_;
  const ir::Function& function_;
  const FunctionLayout& layout_;
  Entry& entry_;
  Summary& summary_;
  const bool is_dynamic_;                   // its variables have no types
  std::vector<std::vector<Arrival>> seen_;  // per block
  // Of the paths that have come to a call with an entry, by the call and the entry's hash.
  std::map<std::pair<const ir::Instruction*, uint64_t>, Doubts> doubts_of_calls_;
  std::set<std::pair<uint32_t, uint32_t>> work_;  // by their rank, the blocks with a state due
  std::unordered_map<SiteId, ObjectId> ids_;
  std::set<Name> renewed_;        // symbols that were given to something new
  std::set<uint32_t> crowded_;    // blocks at which more states have arrived than are kept apart
  std::set<uint32_t> uncounted_;  // heads of loops whose turns are too many, or not known
  std::unordered_map<uint32_t, std::vector<IterationNumber>> iteration_numbers_;  // by head
  std::unordered_set<Name> iteration_symbols_;                                    // of all of them
  size_t released_ = 0;  // of layout_.by_last_rank
  uint64_t block_runs_ = 0;
  bool traced_ = false;
  bool watched_ = false;
  uint32_t turn_ = 0;        // of the loops around the block at hand
  uint32_t invocation_ = 0;  // within the call at hand: it may run several functions
};

}  // namespace placecheck::dataflow
