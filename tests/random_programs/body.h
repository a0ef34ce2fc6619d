// Writes the statements of one function, and keeps track of where its values are.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/random_programs/world.h"
#include "tests/random_programs/writer.h"

namespace placecheck::random_programs {

struct Tensor {
  std::string name;
  Places at;
  bool is_const = false;
  bool has_graph = false;  // backward() would go through it
};

struct Device {
  std::string name;
  Places at;
};

// A vector of tensors that are all in one place.
struct List {
  std::string name;
  Places at;
  bool is_const = false;
};

struct Module {
  std::string name;
  const Class* type = nullptr;
  Places at;
  std::vector<Places> plain = {};
  std::vector<bool> flag;  // by the run
};

class Body {
 public:
  Body(Writer& writer, World world, int indent = 1);

  void add(Tensor tensor) { tensors_.push_back(std::move(tensor)); }
  void add(Device device) { devices_.push_back(std::move(device)); }
  void add(List list) { lists_.push_back(std::move(list)); }
  void add(Module module) { modules_.push_back(std::move(module)); }
  void line(const std::string& text);
  // `count` statements, the deeper the simpler.
  void statements(int count, int depth);

  // Else the checker would call them in its way, and no run could tell.
  void call_modules_without_a_call();

  const World& world() const { return world_; }
  const std::string& text() const { return text_; }
  const Places& place_of(const std::string& tensor) const;
  // A tensor to return: rather one that is at `at`.
  const Tensor& tensor_at(const Places& at);
  bool has_tensors() const { return !tensors_.empty(); }

 private:
  friend class Block;
  using Statement = bool (Body::*)(int depth);

  // Each writes a statement, or returns false where what is there does not suffice.
  bool create(int depth);
  bool combine(int depth);
  bool move(int depth);
  bool guarded_move(int depth);
  bool guarded_operation(int depth);
  bool cuda_guard(int depth);
  bool branch(int depth);
  bool counted_loop(int depth);
  bool choose(int depth);
  bool alias(int depth);
  bool fill_lazily(int depth);
  bool in_place(int depth);
  bool swap_tensors(int depth);
  bool lambda(int depth);
  bool fill_list(int depth);
  bool walk_list(int depth);
  bool use_list(int depth);
  bool load_batches(int depth);
  bool make_module(int depth);
  bool move_module(int depth);
  bool change_module(int depth);
  bool call_module(int depth);
  bool walk_modules(int depth);
  bool train(int depth);
  bool call_function(int depth);
  bool use_pair(int depth);
  bool use_map(int depth);
  bool use_sample(int depth);
  bool use_small_functions(int depth);
  bool move_whole_list(int depth);
  bool use_trainer(int depth);
  bool use_dataset(int depth);
  bool use_cache(int depth);
  bool use_placement(int depth);
  bool save_and_load(int depth);

  Random& random() { return writer_.random(); }
  bool is_careful() { return random().chance(world_.care); }
  bool are_equal(const Places& a, const Places& b) const;
  bool are_all(const Places& places, int place) const;
  Places resolved(const Places& places) const;
  void assign(Places& places, const Places& value);
  void set(const Places& value, Tensor& tensor);

  // Where something new should be.
  Places target();
  // An expression that names the device `at`, or any; empty where there is none.
  std::string device_at(const Places& at);
  std::pair<std::string, Places> some_device();
  std::string creation_at(const Places& at);
  // Indices of tensors, rather of two in one place.
  std::optional<std::pair<std::size_t, std::size_t>> two_tensors();
  std::optional<std::size_t> some_tensor(bool is_assignable);
  // One that is at `at`, or one that is not.
  std::optional<std::size_t> tensor_where(const Places& at, bool is_equal);
  // One for a tensor that is somewhere else.
  std::string wrong_operand(const Places& at);
  // An expression for a tensor at `at`: one that is there, or one that is moved there.
  std::optional<std::string> operand_at(const Places& at);
  std::string operation(const std::string& a, const std::string& b);
  std::string constructor_arguments(Module& module, const std::string& device);
  std::string call_of(const Module& module, const std::string& input);
  bool fits(const Module& module, const Places& input) const;
  Places result_of(const Module& module, const Places& input) const;
  void leave(Module& module, const Places& input);
  Places translated(const Places& groups, const std::vector<bool>& flag, const Places& first,
                    const Places& second) const;
  std::optional<std::vector<std::string>> arguments_of(const Function& function, Places& first,
                                                       Places& second, std::vector<bool>& flag);
  std::optional<std::string> argument_of(const Parameter& parameter, Places& group, bool& is_set,
                                         std::vector<bool>& flag);
  void apply_after(const Function& function, const std::vector<std::string>& arguments,
                   const std::vector<bool>& flag, const Places& first, const Places& second);
  Tensor* find_tensor(const std::string& name);
  std::optional<Condition> some_condition();
  void declare(const std::string& name, const std::string& value, const Places& at, bool has_graph);

  Writer& writer_;
  World world_;
  std::string text_;
  int lines_ = 0;
  int indent_;
  std::vector<bool> active_;
  Places current_;  // device, by run
  std::vector<Tensor> tensors_;
  std::vector<Device> devices_;
  std::vector<List> lists_;
  std::vector<Module> modules_;
  std::set<std::string> called_;  // of the modules
};

}  // namespace placecheck::random_programs
