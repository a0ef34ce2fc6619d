#include "tests/random_programs/function_text.h"

#include <algorithm>
#include <utility>

#include "tests/random_programs/body.h"

namespace placecheck::random_programs {
namespace {

using Kind = Parameter::Kind;

std::string declaration_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case Kind::kConstTensor:
      return "const torch::Tensor& " + parameter.name;
    case Kind::kTensor:
      return "torch::Tensor " + parameter.name;
    case Kind::kReference:
      return "torch::Tensor& " + parameter.name;
    case Kind::kPointer:
      return "torch::Tensor* " + parameter.name;
    case Kind::kList:
      return "const std::vector<torch::Tensor>& " + parameter.name;
    case Kind::kDevice:
      return "torch::Device " + parameter.name;
    case Kind::kModule:
      return parameter.type->name + " " + parameter.name;
    case Kind::kFlag:
      return "bool " + parameter.name;
  }
  return {};
}

bool is_tensor(const Parameter& parameter) { return parameter.kind <= Kind::kPointer; }

std::string value_of(const Parameter& parameter) {
  return parameter.kind == Kind::kPointer ? "(*" + parameter.name + ")" : parameter.name;
}

class FunctionText {
 public:
  FunctionText(Writer& writer, const Class& type)
      : writer_(writer), random_(writer.random()), type_(type) {
    made_.name = writer_.fresh(random_.word({"apply", "combine", "prepare", "step", "score"}));
  }

  Function result() && {
    choose_parameters();
    Body body(writer_, world_of());
    for (const Parameter& parameter : made_.parameters) add(parameter, body);
    made_.declaration = "torch::Tensor " + made_.name + "(" + parameter_list() + ")";
    if (made_.has_depth) body.line("if (depth == 0) return " + first_tensor() + ";");
    body.statements(1 + static_cast<int>(random_.below(3)), 1);
    end(body);
    for (const Parameter& parameter : made_.parameters) {
      const bool is_changed =
          parameter.kind == Kind::kReference || parameter.kind == Kind::kPointer;
      if (is_changed) made_.after[parameter.name] = body.place_of(value_of(parameter));
    }
    made_.text = made_.declaration + " {\n" + body.text() + "}\n\n";
    return std::move(made_);
  }

 private:
  void choose_parameters() {
    add_parameter(random_.of(std::vector<Kind>{Kind::kConstTensor, Kind::kTensor, Kind::kTensor}),
                  "x");
    const std::size_t tensors = random_.below(3);
    for (std::size_t i = 0; i < tensors; ++i) {
      add_parameter(static_cast<Kind>(random_.below(4)), random_.word({"w", "other", "mask"}));
    }
    if (random_.chance(20)) add_parameter(Kind::kList, "items");
    if (random_.chance(40)) add_parameter(Kind::kDevice, "device");
    if (random_.chance(30)) add_parameter(Kind::kModule, "net");
    if (random_.chance(35)) add_parameter(Kind::kFlag, "is_first");
    made_.has_depth = random_.chance(12);
  }

  void add_parameter(Kind kind, const std::string& stem) {
    const bool is_alone = made_.parameters.empty() || kind == Kind::kModule || random_.chance(65);
    made_.parameters.push_back({.kind = kind,
                                .name = writer_.fresh(stem),
                                .group = is_alone ? kFirstGroup : kSecondGroup,
                                .type = kind == Kind::kModule ? &type_ : nullptr});
  }

  World world_of() const {
    World world{
        .is_function = true, .has_gradients = writer_.has_gradients(), .care = writer_.care()};
    for (const Parameter& parameter : made_.parameters) {
      if (parameter.kind != Kind::kFlag) continue;
      world.runs = 2;
      world.conditions.push_back({parameter.name, {false, true}});
    }
    return world;
  }

  static void add(const Parameter& parameter, Body& body) {
    const Places at = everywhere(body.world(), parameter.group);
    if (is_tensor(parameter)) {
      body.add(Tensor{.name = value_of(parameter),
                      .at = at,
                      .is_const = parameter.kind == Kind::kConstTensor,
                      .has_graph = true});
    } else if (parameter.kind == Kind::kList) {
      body.add(List{.name = parameter.name, .at = at, .is_const = true});
    } else if (parameter.kind == Kind::kDevice) {
      body.add(Device{.name = parameter.name, .at = at});
    } else if (parameter.kind == Kind::kModule) {
      Module module{.name = parameter.name,
                    .type = parameter.type,
                    .at = at,
                    .flag = std::vector<bool>(body.world().runs, false)};
      for (const PlainMember& plain : parameter.type->plain) {
        module.plain.push_back(plain.goes_with_input ? at : everywhere(body.world(), kUnknown));
      }
      body.add(std::move(module));
    }
  }

  std::string parameter_list() const {
    std::string list;
    for (const Parameter& parameter : made_.parameters) {
      list += (list.empty() ? "" : ", ") + declaration_of(parameter);
    }
    return list + (made_.has_depth ? ", int depth" : "");
  }

  std::string first_tensor() const { return value_of(made_.parameters.front()); }

  // A last statement that returns.
  void end(Body& body) {
    const Tensor returned = body.tensor_at(everywhere(body.world(), kFirstGroup));
    made_.result = returned.at;
    if (made_.has_depth) {
      std::string arguments = returned.name;
      for (std::size_t i = 1; i < made_.parameters.size(); ++i) {
        arguments += ", " + made_.parameters[i].name;
      }
      body.line("return " + made_.name + "(" + arguments + ", depth - 1);");
      return;
    }
    if (const Tensor& other = body.tensor_at(everywhere(body.world(), kSecondGroup));
        random_.chance(20) && other.name != returned.name) {
      end_with_check(body, returned, other);
      return;
    }
    body.line("return " + returned.name + ";");
  }

  void end_with_check(Body& body, const Tensor& returned, const Tensor& other) {
    made_.result = other.at;
    body.line("if (" + returned.name + ".device() == " + other.name + ".device()) return " +
              returned.name + " + " + other.name + ";");
    body.line("return " + returned.name + ".to(" + other.name + ".device()) * " + other.name + ";");
  }

  Writer& writer_;
  Random& random_;
  const Class& type_;
  Function made_;
};

}  // namespace

Function function_text(Writer& writer, const Class& type) {
  return FunctionText(writer, type).result();
}

}  // namespace placecheck::random_programs
