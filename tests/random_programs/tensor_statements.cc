// Statements about single tensors.
#include "tests/random_programs/block.h"
#include "tests/random_programs/body.h"

namespace placecheck::random_programs {

bool Body::create(int /*depth*/) {
  const Places at = target();
  const std::string value = creation_at(at);
  if (value.empty()) return false;
  declare(writer_.fresh(random().word({"x", "y", "mask", "noise", "scale", "target", "bias"})),
          value, at, false);
  return true;
}

bool Body::combine(int /*depth*/) {
  const auto two = two_tensors();
  if (!two) return false;
  Tensor& a = tensors_[two->first];
  const Tensor& b = tensors_[two->second];
  const std::string value = operation(a.name, is_careful() ? b.name : wrong_operand(a.at));
  const bool has_graph = a.has_graph || b.has_graph;
  if (!a.is_const && random().chance(40)) {
    line(a.name + " = " + value + ";");
    a.has_graph = has_graph;
    return true;
  }
  const Places at = a.at;
  declare(writer_.fresh(random().word({"h", "out", "sum", "mixed", "product"})), value, at,
          has_graph);
  return true;
}

bool Body::move(int /*depth*/) {
  const auto chosen = some_tensor(true);
  if (!chosen) return false;
  auto [device, at] = some_device();
  Tensor& tensor = tensors_[*chosen];
  std::string moved = tensor.name + ".to(" + device + ")";
  if (are_equal(at, current_) && random().chance(40)) moved = tensor.name + ".cuda()";
  if (are_all(at, kCpu) && random().chance(60)) moved = tensor.name + ".cpu()";
  if (random().chance(10)) {
    line(moved + ";");
  } else if (random().chance(60)) {
    line(tensor.name + " = " + moved + ";");
    set(at, tensor);
  } else {
    const bool has_graph = tensor.has_graph;
    declare(writer_.fresh("moved"), moved, at, has_graph);
  }
  return true;
}

// What is_cuda() says of an argument is not known.
static bool is_on_cuda(int place) { return place >= 0 && place < kFirstGroup; }
static bool is_of_group(int place) { return place >= kFirstGroup || place == kUnknown; }

bool Body::guarded_move(int /*depth*/) {
  const auto chosen = some_tensor(true);
  if (!chosen || tensors_.size() < 2) return false;
  Tensor& a = tensors_[*chosen];
  const Tensor b = tensors_[random().below(tensors_.size())];
  if (a.name == b.name) return false;
  Places at = a.at;
  switch (random().below(4)) {
    case 0:
      line("if (!" + a.name + ".is_cuda()) " + a.name + " = " + a.name + ".cuda();");
      for (std::size_t run = 0; run < world_.runs; ++run) {
        if (at[run] == kCpu) at[run] = current_[run];
        if (is_of_group(at[run])) at[run] = kUnknown;
      }
      break;
    case 1:
      line("if (" + b.name + ".is_cuda()) " + a.name + " = " + a.name + ".to(" + b.name +
           ".device());");
      for (std::size_t run = 0; run < world_.runs; ++run) {
        if (is_on_cuda(b.at[run])) at[run] = b.at[run];
        if (is_of_group(b.at[run]) && at[run] != b.at[run]) at[run] = kUnknown;
      }
      break;
    default:
      line("if (" + a.name + ".device() != " + b.name + ".device()) " + a.name + " = " + a.name +
           random().word({".to(", ".to("}) + b.name +
           random().word({".device()", ".options()", ".device()"}) + ");");
      at = b.at;
  }
  set(at, a);
  return true;
}

bool Body::guarded_operation(int /*depth*/) {
  if (tensors_.size() < 2) return false;
  const Tensor a = random().of(tensors_);
  const Tensor b = random().of(tensors_);
  if (a.name == b.name) return false;
  std::vector<bool> together(world_.runs);
  for (std::size_t run = 0; run < world_.runs; ++run) together[run] = a.at[run] == b.at[run];
  Block block(*this, "if (" + a.name + ".device() == " + b.name + ".device())", together);
  declare(writer_.fresh("same"), operation(a.name, b.name), a.at, a.has_graph || b.has_graph);
  return true;
}

bool Body::choose(int /*depth*/) {
  const auto condition = some_condition();
  if (!condition || tensors_.size() < 2) return false;
  const Tensor a = random().of(tensors_);
  const Tensor b = random().of(tensors_);
  if (a.name == b.name) return false;
  Places at = b.at;
  for (std::size_t run = 0; run < world_.runs; ++run) {
    if (condition->holds[run]) at[run] = a.at[run];
  }
  const std::string name = writer_.fresh("chosen");
  if (random().chance(50)) {
    line("torch::Tensor " + name + " = " + condition->text + " ? " + a.name + " : " + b.name + ";");
  } else {
    line("torch::Tensor " + name + " = " + b.name + ";");
    line("if (" + condition->text + ") " + name + " = " + a.name + ";");
  }
  add(Tensor{.name = name, .at = at, .has_graph = a.has_graph || b.has_graph});
  return true;
}

bool Body::alias(int /*depth*/) {
  const auto chosen = some_tensor(true);
  const auto other = some_tensor(true);
  if (!chosen || !other) return false;
  auto [device, at] = some_device();
  Tensor& a = tensors_[*chosen];
  Tensor& b = tensors_[*other];
  const std::string name = writer_.fresh("same");
  const auto condition = some_condition();
  if (condition && a.name != b.name && random().chance(50)) {
    line("torch::Tensor* " + name + " = " + condition->text + " ? &" + a.name + " : &" + b.name +
         ";");
    line("*" + name + " = " + name + "->to(" + device + ");");
    for (std::size_t run = 0; run < world_.runs; ++run) {
      if (active_[run]) (condition->holds[run] ? a : b).at[run] = at[run];
    }
  } else if (random().chance(50)) {
    line("torch::Tensor& " + name + " = " + a.name + ";");
    line(name + " = " + name + ".to(" + device + ");");
    set(at, a);
  } else {
    line("torch::Tensor " + name + " = " + a.name + ";");
    line(a.name + " = " + a.name + ".to(" + device + ");");
    const Places before = a.at;
    const bool has_graph = a.has_graph;
    set(at, a);
    add(Tensor{.name = name, .at = before, .has_graph = has_graph});
  }
  return true;
}

bool Body::fill_lazily(int /*depth*/) {
  const auto condition = some_condition();
  if (!condition || tensors_.empty()) return false;
  const Tensor first = random().of(tensors_);
  const Places at = is_careful() ? first.at : target();
  const std::string value = creation_at(at);
  if (value.empty()) return false;
  const std::string name = writer_.fresh("cache");
  line("torch::Tensor " + name + ";");
  line("if (" + condition->text + ") " + name + " = " + first.name + ";");
  line("if (!" + name + ".defined()) " + name + " = " + value + ";");
  Places places = at;
  for (std::size_t run = 0; run < world_.runs; ++run) {
    if (condition->holds[run]) places[run] = first.at[run];
  }
  add(Tensor{.name = name, .at = places, .has_graph = first.has_graph});
  return true;
}

bool Body::in_place(int /*depth*/) {
  if (world_.has_gradients) return false;
  if (random().chance(25) && tensors_.size() > 1) {
    line(random().of(tensors_).name + ".copy_(" + random().of(tensors_).name + ");");
    return true;
  }
  const auto two = two_tensors();
  if (!two) return false;
  const std::string& a = tensors_[two->first].name;
  const std::string& b = tensors_[two->second].name;
  std::vector<std::string> statements = {a + ".add_(" + b + ");", a + ".mul_(" + b + ");"};
  if (!tensors_[two->first].is_const) statements.push_back(a + " += " + b + ";");
  line(random().of(statements));
  return true;
}

bool Body::swap_tensors(int /*depth*/) {
  const auto chosen = some_tensor(true);
  const auto other = some_tensor(true);
  if (!chosen || !other || *chosen == *other) return false;
  Tensor& a = tensors_[*chosen];
  Tensor& b = tensors_[*other];
  line("std::swap(" + a.name + ", " + b.name + ");");
  const Places before = a.at;
  set(b.at, a);
  set(before, b);
  std::swap(a.has_graph, b.has_graph);
  return true;
}

bool Body::lambda(int /*depth*/) {
  const auto two = two_tensors();
  if (!two) return false;
  const Tensor a = tensors_[two->first];
  const Tensor b = tensors_[two->second];
  const std::string name = writer_.fresh("apply");
  const std::string value = writer_.fresh("value");
  const bool is_moving = random().chance(40);
  const std::string body =
      is_moving ? value + ".to(" + a.name + ".device())" : operation(value, a.name);
  const std::string head =
      random().chance(30) ? "std::function<torch::Tensor(torch::Tensor)> " + name : "auto " + name;
  line(head + " = [" + random().word({"&", "=", "&"}) + "](const torch::Tensor& " + value +
       ") { return " + body + "; };");
  declare(writer_.fresh("applied"), name + "(" + b.name + ")", is_moving ? a.at : b.at,
          a.has_graph || b.has_graph);
  return true;
}

bool Body::use_pair(int /*depth*/) {
  const auto chosen = two_tensors();
  if (!chosen) return false;
  const Tensor a = tensors_[chosen->first];
  const Tensor b = tensors_[chosen->second];
  auto [device, at] = some_device();
  const std::string name = writer_.fresh("example");
  Places first = a.at;
  if (random().chance(50)) {
    line("torch::data::Example<> " + name + "(" + a.name + ", " + b.name + ");");
    if (random().chance(50)) {
      line(name + ".data = " + name + ".data.to(" + device + ");");
      assign(first, at);
    }
    declare(writer_.fresh("data"), name + ".data", first, a.has_graph);
    declare(writer_.fresh("target"), name + ".target", b.at, b.has_graph);
    return true;
  }
  const std::string one = writer_.fresh("left");
  const std::string two = writer_.fresh("right");
  line("auto [" + one + ", " + two + "] = std::make_tuple(" + a.name + ".to(" + device + "), " +
       b.name + ");");
  add(Tensor{.name = one, .at = at, .is_const = true, .has_graph = a.has_graph});
  add(Tensor{.name = two, .at = b.at, .is_const = true, .has_graph = b.has_graph});
  return true;
}

}  // namespace placecheck::random_programs
