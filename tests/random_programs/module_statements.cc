// Statements about modules, and calls of functions.
#include <algorithm>
#include <tuple>

#include "tests/random_programs/block.h"
#include "tests/random_programs/body.h"

namespace placecheck::random_programs {

bool Body::make_module(int depth) {
  if (modules_.size() >= 3 || depth > 0) return false;
  const Class* type = writer_.some_class(0);
  Module module{.name = writer_.fresh(random().word({"net", "model", "layer", "head"})),
                .type = type,
                .at = everywhere(world_, kCpu),
                .flag = std::vector<bool>(world_.runs, false)};
  auto [device, at] = some_device();
  if (!type->factory.empty() && random().chance(60)) {
    line("auto " + module.name + " = " + type->factory + "(" + device + ");");
    module.at = at;
  } else {
    const std::string arguments = constructor_arguments(module, device);
    line(type->name + " " + module.name + (arguments.empty() ? "" : "(" + arguments + ")") + ";");
    // Without a member to keep it, the constructor moves the module.
    if (type->has_device && type->plain.empty()) module.at = at;
  }
  for (const PlainMember& plain : type->plain) {
    module.plain.push_back(plain.is_on_device ? at : everywhere(world_, kCpu));
  }
  if (random().chance(70)) {
    std::tie(device, at) = some_device();
    line(module.name + "->to(" + device + ");");
    assign(module.at, at);
  }
  add(std::move(module));
  return true;
}

// Says in `module` what its flag is.
std::string Body::constructor_arguments(Module& module, const std::string& device) {
  const Class& type = *module.type;
  if (type.name == "torch::nn::Linear") return "4, 4";
  if (type.name == "torch::nn::Sequential") {
    return "torch::nn::Linear(4, 4), torch::nn::ReLU(), torch::nn::Linear(4, 4)";
  }
  std::string arguments = type.has_device ? device : "";
  if (!type.has_flag) return arguments;
  const auto condition = some_condition();
  module.flag = condition ? condition->holds : std::vector<bool>(world_.runs, true);
  return arguments + (arguments.empty() ? "" : ", ") + (condition ? condition->text : "true");
}

bool Body::move_module(int /*depth*/) {
  if (modules_.empty()) return false;
  Module& module = modules_[random().below(modules_.size())];
  auto [device, at] = some_device();
  if (random().chance(20)) {
    const std::string name = writer_.fresh("same");
    line("auto " + name + " = " + module.name + ";");
    line(name + "->to(" + device + ");");
  } else {
    line(module.name + "->to(" + device + ");");
  }
  assign(module.at, at);
  return true;
}

bool Body::change_module(int /*depth*/) {
  if (modules_.empty()) return false;
  Module& module = modules_[random().below(modules_.size())];
  const Class& type = *module.type;
  auto [device, at] = some_device();
  if (!type.plain.empty() && random().chance(60)) {
    const std::size_t i = random().below(type.plain.size());
    const std::string member = module.name + "->" + type.plain[i].name;
    line(member + " = " + member + ".to(" + device + ");");
    assign(module.plain[i], at);
    return true;
  }
  if (type.parts.empty() || (is_careful() && !are_equal(module.at, at))) return false;
  line(module.name + "->" + random().of(type.parts) + "->to(" + device + ");");
  if (!are_equal(module.at, at)) assign(module.at, everywhere(world_, kUnknown));
  return true;
}

bool Body::fits(const Module& module, const Places& input) const {
  if (!are_equal(module.at, input)) return false;
  for (std::size_t i = 0; i < module.plain.size(); ++i) {
    if (module.type->plain[i].goes_with_input && !are_equal(module.plain[i], input)) return false;
  }
  return true;
}

Places Body::translated(const Places& groups, const std::vector<bool>& flag, const Places& first,
                        const Places& second) const {
  Places result = everywhere(world_, kUnknown);
  for (std::size_t run = 0; run < world_.runs; ++run) {
    const int group = groups[groups.size() > 1 && flag[run] ? 1 : 0];
    result[run] = group == kFirstGroup ? first[run] : group == kSecondGroup ? second[run] : group;
  }
  return result;
}

Places Body::result_of(const Module& module, const Places& input) const {
  const Places& plain = module.plain.empty() ? input : module.plain[0];
  return translated(module.type->result, module.flag, input, plain);
}

// What forward does to the module's own tensors.
void Body::leave(Module& module, const Places& input) {
  for (std::size_t i = 0; i < module.plain.size(); ++i) {
    const Places after =
        translated(module.type->plain[i].after, module.flag, input, module.plain[i]);
    assign(module.plain[i], after);
  }
}

std::string Body::call_of(const Module& module, const std::string& input) {
  called_.insert(module.name);
  const bool is_named = module.type->name == "torch::nn::Sequential" || random().chance(60);
  return module.name + (is_named ? "->forward(" : "(") + input + ")";
}

bool Body::call_module(int /*depth*/) {
  if (modules_.empty() || tensors_.empty()) return false;
  Module& module = modules_[random().below(modules_.size())];
  const Places at = module.at;
  const bool is_right = is_careful();
  if (is_right && !fits(module, at)) return false;
  std::string input;
  if (const auto tensor = tensor_where(at, true); is_right && tensor && random().chance(70)) {
    input = tensors_[*tensor].name;
  } else if (!is_right) {
    input = wrong_operand(at);
  } else {
    const std::string device =
        random().chance(50) ? module.name + "->" + module.type->device : device_at(at);
    if (device.empty()) return false;
    input = random().of(tensors_).name + ".to(" + device + ")";
  }
  const std::string value = call_of(module, input);
  const Places result = result_of(module, at);
  leave(module, at);
  const auto chosen = some_tensor(true);
  if (chosen && random().chance(30)) {
    line(tensors_[*chosen].name + " = " + value + ";");
    set(result, tensors_[*chosen]);
    tensors_[*chosen].has_graph = true;
    return true;
  }
  declare(writer_.fresh(random().word({"y", "output", "logits", "h"})), value, result, true);
  return true;
}

void Body::call_modules_without_a_call() {
  for (const Module& module : modules_) {
    if (called_.contains(module.name) || module.type->text.empty()) continue;
    line(module.name + "->forward(torch::ones({4, 4}).to(" + module.name + "->" +
         module.type->device + "));");
  }
}

bool Body::walk_modules(int depth) {
  const auto chosen = some_tensor(true);
  if (!chosen || depth > 1 || world_.is_function) return false;
  Tensor& tensor = tensors_[*chosen];
  const std::string layers = writer_.fresh("layers");
  const std::string device = is_careful() ? tensor.name + ".device()" : some_device().first;
  line("std::vector<torch::nn::Linear> " + layers + ";");
  switch (random().below(3)) {
    case 0: {
      Block block(*this, "for (int i = 0; i < 3; ++i)");
      line(layers + ".push_back(torch::nn::Linear(4, 4));");
      line(layers + ".back()->to(" + device + ");");
      break;
    }
    case 1:
      line("for (int i = 0; i < 3; ++i) " + layers + ".emplace_back(4, 4);");
      line("for (auto layer : " + layers + ") layer->to(" + device + ");");
      break;
    default:
      line("for (int i = 0; i < 3; ++i) " + layers + ".emplace_back(4, 4);");
      line("for (std::size_t i = 0; i < " + layers + ".size(); ++i) " + layers + "[i]->to(" +
           device + ");");
  }
  line("for (auto& layer : " + layers + ") " + tensor.name + " = torch::relu(layer->forward(" +
       tensor.name + "));");
  tensor.has_graph = true;
  return true;
}

bool Body::train(int /*depth*/) {
  if (!world_.has_gradients || world_.is_function || modules_.empty()) return false;
  Module& module = modules_[random().below(modules_.size())];
  if (is_careful() && !fits(module, module.at)) return false;
  const auto input = operand_at(module.at);
  const Places result = result_of(module, module.at);
  const auto target = operand_at(result);
  if (!input || !target) return false;
  leave(module, module.at);
  const std::string optimizer = writer_.fresh("optimizer");
  const std::string loss = writer_.fresh("loss");
  line("torch::optim::" + std::string(random().word({"SGD ", "Adam "})) + optimizer + "(" +
       module.name + "->parameters(), 0.1);");
  Block block(*this, "for (int step = 0; step < 2; ++step)");
  line(optimizer + ".zero_grad();");
  line("auto " + loss + " = torch::mse_loss(" + call_of(module, *input + ".detach()") + ", " +
       *target + ".detach());");
  line("if (" + loss + ".requires_grad()) " + loss + ".backward();");
  line(optimizer + ".step();");
  return true;
}

std::optional<std::string> Body::argument_of(const Parameter& parameter, Places& group,
                                             bool& is_set, std::vector<bool>& flag) {
  using Kind = Parameter::Kind;
  const auto agrees = [&](const Places& at) {
    if (!is_set) group = at;
    return std::exchange(is_set, true) ? are_equal(group, at) || !is_careful() : true;
  };
  switch (parameter.kind) {
    case Kind::kFlag: {
      const auto condition = some_condition();
      flag = condition ? condition->holds : std::vector<bool>(world_.runs, true);
      return condition ? condition->text : "true";
    }
    case Kind::kDevice: {
      if (!is_set) std::tie(std::ignore, group) = some_device();
      is_set = true;
      const std::string device = device_at(group);
      return device.empty() ? std::nullopt : std::optional(device);
    }
    case Kind::kModule:
      for (const Module& module : modules_) {
        if (module.type == parameter.type && fits(module, module.at) && agrees(module.at)) {
          return module.name;
        }
      }
      return {};
    case Kind::kList:
      for (const List& list : lists_) {
        if ((!list.is_const || world_.is_function) && agrees(list.at)) return list.name;
      }
      return {};
    default:
      break;
  }
  const bool is_changed = parameter.kind == Kind::kReference || parameter.kind == Kind::kPointer;
  for (int tries = 0; tries < 6; ++tries) {
    const auto chosen = some_tensor(is_changed);
    if (!chosen || !agrees(tensors_[*chosen].at)) continue;
    return (parameter.kind == Kind::kPointer ? "&" : "") + tensors_[*chosen].name;
  }
  if (is_changed) return {};
  return operand_at(group);
}

std::optional<std::vector<std::string>> Body::arguments_of(const Function& function, Places& first,
                                                           Places& second,
                                                           std::vector<bool>& flag) {
  std::vector<std::string> arguments;
  bool is_first_set = false;
  bool is_second_set = false;
  for (const Parameter& parameter : function.parameters) {
    const bool is_first = parameter.group == kFirstGroup;
    auto argument = argument_of(parameter, is_first ? first : second,
                                is_first ? is_first_set : is_second_set, flag);
    if (!argument) return {};
    const bool is_changed = parameter.kind == Parameter::Kind::kReference ||
                            parameter.kind == Parameter::Kind::kPointer;
    if (is_changed && std::ranges::find(arguments, *argument) != arguments.end()) return {};
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

void Body::apply_after(const Function& function, const std::vector<std::string>& arguments,
                       const std::vector<bool>& flag, const Places& first, const Places& second) {
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto after = function.after.find(function.parameters[i].name);
    if (after == function.after.end()) continue;
    Tensor* tensor = find_tensor(arguments[i][0] == '&' ? arguments[i].substr(1) : arguments[i]);
    if (tensor == nullptr) continue;
    set(translated(after->second, flag, first, second), *tensor);
    tensor->has_graph = true;
  }
}

bool Body::call_function(int /*depth*/) {
  if (world_.is_function) return false;
  const Function* function = writer_.some_function();
  if (function == nullptr) return false;
  Places first = everywhere(world_, kUnknown);
  Places second = first;
  std::vector<bool> flag(world_.runs, false);
  const auto arguments = arguments_of(*function, first, second, flag);
  if (!arguments) return false;
  std::string list;
  for (const std::string& argument : *arguments) list += (list.empty() ? "" : ", ") + argument;
  if (function->has_depth) list += ", 2";
  apply_after(*function, *arguments, flag, first, second);
  const std::string call = function->name + "(" + list + ")";
  declare(writer_.fresh(random().word({"y", "result", "made"})), call,
          translated(function->result, flag, first, second), true);
  return true;
}

}  // namespace placecheck::random_programs
