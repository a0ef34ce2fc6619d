// What a program has besides its main function: classes and functions, which are written when
// something first needs one.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/random_programs/random.h"
#include "tests/random_programs/support.h"
#include "tests/random_programs/world.h"

namespace placecheck::random_programs {

// A tensor of a class that is no parameter and no buffer, so that moving the module leaves it.
struct PlainMember {
  std::string name;
  bool is_on_device = false;     // of the constructor; else on the CPU
  bool goes_with_input = false;  // forward takes it to be where the input is
  Places after;                  // where forward leaves it, in groups, by the class's flag
};

struct Class {
  std::string name;
  bool has_device = false;  // the constructor takes one
  bool has_flag = false;    // and a bool, which forward looks at
  std::string device;       // an expression behind "NAME->": "fc->weight.device()"
  std::vector<std::string> parts;
  std::vector<PlainMember> plain;
  Places result;        // of forward, in groups, by the flag
  std::string factory;  // a function that makes one on the device that it is given, if there is one
  std::string text;
};

struct Parameter {
  enum class Kind { kConstTensor, kTensor, kReference, kPointer, kList, kDevice, kModule, kFlag };

  Kind kind = Kind::kConstTensor;
  std::string name;
  int group = kFirstGroup;
  const Class* type = nullptr;
};

struct Function {
  std::string name;
  std::vector<Parameter> parameters;
  bool has_depth = false;               // a last parameter, which counts its calls of itself
  Places result;                        // in groups, by the flag
  std::map<std::string, Places> after;  // of the parameters that it may move
  std::string declaration;
  std::string text;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed);

  Random& random() { return random_; }
  // `stem`, or with a number where that is taken: no two things of a program are called the same.
  std::string fresh(const std::string& stem);

  // One that is there, or a new one; null for none. Both live as long as this.
  const Class* some_class(int depth);
  const Function* some_function();

  void need(Support support) { supports_.insert(support); }

  const std::set<Support>& supports() const { return supports_; }
  const std::deque<Class>& classes() const { return classes_; }
  const std::deque<Function>& functions() const { return functions_; }
  int care() const { return care_; }
  bool has_gradients() const { return has_gradients_; }

 private:
  Random random_;
  std::map<std::string, int> taken_;
  std::set<Support> supports_;
  std::deque<Class> classes_;
  std::deque<Function> functions_;
  Class linear_;
  Class sequential_;
  int care_;
  bool has_gradients_;
};

}  // namespace placecheck::random_programs
