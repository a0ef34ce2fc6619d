#include "tests/random_programs/class_text.h"

#include <utility>

#include "tests/random_programs/body.h"

namespace placecheck::random_programs {
namespace {

class ClassText {
 public:
  ClassText(Writer& writer, int depth)
      : writer_(writer),
        random_(writer.random()),
        depth_(depth),
        input_(writer.fresh("x")),
        body_(writer, world_of(), 2) {
    body_.add(Tensor{.name = input_, .at = here(), .has_graph = true});
  }

  Class result() && {
    made_.name = writer_.fresh(random_.word({"Net", "Block", "Encoder", "Mixer", "Head"}));
    add_layer();
    for (std::size_t i = 1 + random_.below(3); i > 0; --i) add_member();
    body_.statements(1 + static_cast<int>(random_.below(3)), 1);
    body_.call_modules_without_a_call();
    add_forward();
    if (!made_.has_flag && random_.chance(50)) add_factory();
    return std::move(made_);
  }

 private:
  World world_of() {
    World world{
        .is_function = true, .has_gradients = writer_.has_gradients(), .care = writer_.care()};
    made_.has_flag = random_.chance(30);
    made_.has_device = random_.chance(30);
    if (made_.has_flag) {
      flag_ = writer_.fresh("deep");
      world.runs = 2;
      world.conditions.push_back({flag_, {false, true}});
    }
    return world;
  }
  Places here() const { return Places(made_.has_flag ? 2 : 1, kFirstGroup); }
  Places elsewhere() const { return Places(made_.has_flag ? 2 : 1, kSecondGroup); }
  bool is_careful() { return random_.chance(writer_.care()); }

  void add_layer() {
    const std::string name = writer_.fresh("fc");
    add_module(name, "torch::nn::Linear", "torch::nn::Linear(4, 4)");
    made_.device = name + "->weight.device()";
    layer_.device = "weight.device()";
    layer_.name = "torch::nn::Linear";
    layer_.result = {kFirstGroup};
    body_.add(Module{.name = name, .type = &layer_, .at = here(), .flag = {false, false}});
    made_.parts.push_back(name);
  }

  void add_module(const std::string& name, const std::string& type, const std::string& value) {
    constructor_ += "    " + name + " = " +
                    (is_careful() ? "register_module(\"" + name + "\", " + value + ")" : value) +
                    ";\n";
    members_ += "  " + type + " " + name + "{nullptr};\n";
  }

  void add_member() {
    switch (random_.below(4)) {
      case 0:
        return add_nested();
      case 1:
        return add_tensor("scale", "register_buffer", false);
      case 2:
        return add_tensor("weight", "register_parameter", true);
      default:
        return add_plain();
    }
  }

  void add_nested() {
    const Class* type = writer_.some_class(depth_ + 1);
    const bool is_fit = type->plain.empty() && !type->has_device && !type->has_flag &&
                        !type->name.starts_with("torch");
    if (!is_fit) return;
    const std::string name = writer_.fresh("inner");
    add_module(name, type->name, type->name + "()");
    body_.add(Module{.name = name, .type = type, .at = here(), .flag = {false, false}});
    made_.parts.push_back(name);
  }

  void add_tensor(const std::string& stem, const std::string& registers, bool has_graph) {
    const std::string name = writer_.fresh(stem);
    const std::string value = "torch::ones({4, 4})";
    constructor_ += "    " + name + " = " +
                    (is_careful() ? registers + "(\"" + name + "\", " + value + ")" : value) +
                    ";\n";
    members_ += "  torch::Tensor " + name + ";\n";
    body_.add(Tensor{.name = name, .at = here(), .is_const = true, .has_graph = has_graph});
  }

  void add_plain() {
    if (!made_.plain.empty()) return;
    PlainMember plain{.name = writer_.fresh("offset"),
                      .is_on_device = made_.has_device,
                      .goes_with_input = random_.chance(40),
                      .after = {}};
    constructor_ += "    " + plain.name + " = torch::ones({4, 4}" +
                    (plain.is_on_device ? ", device" : "") + ");\n";
    members_ += "  torch::Tensor " + plain.name + ";\n";
    body_.add(Tensor{.name = plain.name, .at = plain.goes_with_input ? here() : elsewhere()});
    made_.plain.push_back(std::move(plain));
  }

  void add_forward() {
    const Tensor returned = body_.tensor_at(here());
    made_.result = returned.at;
    for (PlainMember& plain : made_.plain) plain.after = body_.place_of(plain.name);
    std::string parameters = made_.has_device ? "torch::Device device" : "";
    if (made_.has_flag) parameters += (parameters.empty() ? "bool " : ", bool ") + flag_;
    const std::string start = made_.has_flag ? " : " + flag_ + "(" + flag_ + ")" : "";
    if (made_.has_device && made_.plain.empty()) constructor_ += "    to(device);\n";
    made_.text = "struct " + made_.name + "Impl : torch::nn::Module {\n  explicit " + made_.name +
                 "Impl(" + parameters + ")" + start + " {\n" + constructor_ +
                 "  }\n  torch::Tensor forward(torch::Tensor " + input_ + ") {\n" + body_.text() +
                 "    return " + returned.name + ";\n  }\n" + members_ +
                 (made_.has_flag ? "  bool " + flag_ + ";\n" : "") + "};\nTORCH_MODULE(" +
                 made_.name + ");\n\n";
  }

  void add_factory() {
    made_.factory = writer_.fresh("make");
    made_.text += "inline " + made_.name + " " + made_.factory + "(torch::Device device) {\n  " +
                  made_.name + " made" + (made_.has_device ? "(device)" : "") +
                  ";\n  made->to(device);\n  return made;\n}\n\n";
  }

  Writer& writer_;
  Random& random_;
  int depth_;
  Class made_;
  Class layer_;
  std::string input_;
  std::string flag_;
  std::string constructor_;
  std::string members_;
  Body body_;
};

}  // namespace

Class class_text(Writer& writer, int depth) { return ClassText(writer, depth).result(); }

}  // namespace placecheck::random_programs
