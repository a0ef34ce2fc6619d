#include "tests/random_programs/inputs.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace placecheck::random_programs {
namespace {

enum class Kind { kFlag, kCount, kIndex, kText };

struct Input {
  Kind kind = Kind::kFlag;
  std::string name;
  std::vector<std::string> values;  // of a flag: "" and "yes"
  std::string otherwise;            // where nothing is given
};

const std::vector<Input>& all_inputs() {
  static const std::vector<Input> kInputs = {
      {Kind::kFlag, "use_cuda", {"", "yes"}, "false"},
      {Kind::kFlag, "warm_up", {"", "yes"}, "false"},
      {Kind::kCount, "steps", {"1", "2", "3"}, "2"},
      {Kind::kIndex, "card", {"0", "1"}, "0"},
      {Kind::kText, "place", {"cpu", "cuda", "cuda:1"}, "cuda"},
  };
  return kInputs;
}

std::string variable_of(const Input& input) {
  std::string name = input.name;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

const char* type_of(const Input& input) {
  if (input.kind == Kind::kFlag) return "bool ";
  return input.kind == Kind::kText ? "std::string " : "int ";
}

// `text` as a value of the input's type.
std::string parsed(const Input& input, const std::string& text) {
  return input.kind == Kind::kText ? text : "std::atoi(" + text + ")";
}

std::string quoted(const Input& input) {
  return input.kind == Kind::kText ? "\"" + input.otherwise + "\"" : input.otherwise;
}

std::string from_environment(const Input& input) {
  const std::string call = "std::getenv(\"" + variable_of(input) + "\")";
  if (input.kind == Kind::kFlag) {
    return "  const bool " + input.name + " = " + call + " != nullptr;\n";
  }
  const std::string text = input.name + "_text";
  return "  const char* " + text + " = " + call + ";\n  const " + type_of(input) + input.name +
         " = " + text + " != nullptr ? " + parsed(input, text) + " : " + quoted(input) + ";\n";
}

std::string from_position(const Input& input, std::size_t position) {
  const std::string at = std::to_string(position);
  const std::string start =
      std::string("  const ") + type_of(input) + input.name + " = argc > " + at;
  const std::string argument = "argv[" + at + "]";
  if (input.kind == Kind::kFlag) return start + " && std::string(" + argument + ") == \"yes\";\n";
  return start + " ? " + parsed(input, argument) + " : " + quoted(input) + ";\n";
}

std::string field_of(const Input& input) {
  return std::string("  ") + type_of(input) + input.name + " = " + quoted(input) + ";\n";
}

std::string from_word(const Input& input) {
  const std::string found =
      "    if (word == \"--" + input.name + "\") options." + input.name + " = ";
  return found + (input.kind == Kind::kFlag ? "true" : parsed(input, "argv[++i]")) + ";\n";
}

class InputsText {
 public:
  explicit InputsText(Random& random) : random_(random) {}

  Inputs result() && {
    choose();
    const std::size_t way = random_.below(10);
    if (way < 3) {
      read_environment();
    } else if (way < 6) {
      read_positions();
    } else if (way < 9) {
      read_options();
    } else {
      call_unseen();
    }
    enumerate();
    describe();
    return std::move(made_);
  }

 private:
  void choose() {
    const std::size_t count = random_.chance(10) ? 3 : 1 + random_.below(2);
    while (chosen_.size() < count) {
      const Input& input = random_.of(all_inputs());
      const bool is_there = std::ranges::count(chosen_, input.name, &Input::name) > 0;
      if (!is_there) chosen_.push_back(input);
    }
  }

  void read_environment() {
    for (const Input& input : chosen_) made_.statements += from_environment(input);
  }

  void read_positions() {
    made_.has_arguments = true;
    way_ = Way::kPositions;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      made_.statements += from_position(chosen_[i], i + 1);
    }
  }

  void read_options() {
    made_.has_arguments = true;
    way_ = Way::kOptions;
    prefix_ = "options.";
    std::string fields;
    std::string words;
    for (const Input& input : chosen_) {
      fields += field_of(input);
      words += from_word(input);
    }
    made_.declarations = "struct Options {\n" + fields +
                         "};\n\nOptions parse(int argc, char** argv) {\n  Options options;\n"
                         "  for (int i = 1; i < argc; ++i) {\n"
                         "    const std::string word = argv[i];\n" +
                         words + "  }\n  return options;\n}\n\n";
    made_.statements = "  const Options options = parse(argc, argv);\n";
  }

  // Functions without a body in what the checker reads; batch_of() has the bodies.
  void call_unseen() {
    made_.declarations = "std::string setting(const char* name);\n\n";
    for (const Input& input : chosen_) {
      const std::string call = "setting(\"" + variable_of(input) + "\")";
      const std::string value = input.kind == Kind::kFlag   ? "!" + call + ".empty()"
                                : input.kind == Kind::kText ? call
                                                            : "std::stoi(" + call + ")";
      made_.statements +=
          std::string("  const ") + type_of(input) + input.name + " = " + value + ";\n";
    }
  }

  void enumerate() {
    values_.emplace_back();
    for (const Input& input : chosen_) {
      std::vector<std::vector<std::string>> longer;
      for (const std::vector<std::string>& values : values_) {
        for (const std::string& value : input.values) {
          longer.push_back(values);
          longer.back().push_back(value);
        }
      }
      values_ = std::move(longer);
    }
    for (const std::vector<std::string>& values : values_) made_.runs.push_back(run_of(values));
  }

  Run run_of(const std::vector<std::string>& values) const {
    Run run;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const bool is_flag = chosen_[i].kind == Kind::kFlag;
      if (way_ == Way::kPositions) {
        run.arguments.push_back(values[i].empty() ? "no" : values[i]);
      } else if (values[i].empty()) {
        continue;
      } else if (way_ == Way::kEnvironment) {
        run.environment.push_back(variable_of(chosen_[i]) + "=" + values[i]);
      } else {
        run.arguments.push_back("--" + chosen_[i].name);
        if (!is_flag) run.arguments.push_back(values[i]);
      }
    }
    return run;
  }

  void describe() {
    made_.world.runs = values_.size();
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const std::string text = prefix_ + chosen_[i].name;
      switch (chosen_[i].kind) {
        case Kind::kFlag:
          add_condition(text, i, "yes");
          break;
        case Kind::kCount:
          made_.world.counts.push_back(number_of(text, i));
          add_condition(text + " == 3", i, "3");
          break;
        case Kind::kIndex:
          made_.world.indices.push_back(number_of(text, i));
          add_condition(text + " == 1", i, "1");
          break;
        case Kind::kText:
          made_.texts.push_back(places_of(text, i));
          add_condition(text + " == \"cpu\"", i, "cpu");
      }
    }
  }

  void add_condition(const std::string& text, std::size_t input, const std::string& value) {
    Condition condition{text, {}};
    for (const auto& values : values_) condition.holds.push_back(values[input] == value);
    made_.world.conditions.push_back(std::move(condition));
  }

  Number number_of(const std::string& text, std::size_t input) const {
    Number number{text, {}};
    for (const auto& values : values_) number.values.push_back(std::stoi(values[input]));
    return number;
  }

  Number places_of(const std::string& text, std::size_t input) const {
    Number number{text, {}};
    for (const auto& values : values_) {
      const std::string& value = values[input];
      number.values.push_back(value == "cpu" ? kCpu : value == "cuda" ? kCurrent : 1);
    }
    return number;
  }

  enum class Way { kEnvironment, kPositions, kOptions };

  Random& random_;
  Inputs made_;
  std::vector<Input> chosen_;
  std::vector<std::vector<std::string>> values_;  // by run, then by input
  Way way_ = Way::kEnvironment;
  std::string prefix_;
};

}  // namespace

Inputs choose_inputs(Random& random) { return InputsText(random).result(); }

}  // namespace placecheck::random_programs
