// Branches, loops, blocks, and what goes through lists.
#include "tests/random_programs/block.h"
#include "tests/random_programs/body.h"

namespace placecheck::random_programs {

namespace {

constexpr int kDeepest = 2;

}  // namespace

bool Body::branch(int depth) {
  const auto condition = some_condition();
  if (!condition || depth >= kDeepest) return false;
  {
    Block block(*this, "if (" + condition->text + ")", condition->holds);
    statements(1 + static_cast<int>(random().below(2)), depth + 1);
  }
  if (random().chance(40)) {
    std::vector<bool> otherwise = condition->holds;
    otherwise.flip();
    Block block(*this, "else", otherwise);
    statements(1, depth + 1);
  }
  return true;
}

bool Body::counted_loop(int depth) {
  if (depth >= kDeepest) return false;
  const std::string i = writer_.fresh("i");
  const bool is_known = world_.counts.empty() || random().chance(50);
  const std::string count = is_known ? "3" : random().of(world_.counts).text;
  Block block(*this, random().chance(80)
                         ? "for (int " + i + " = 0; " + i + " < " + count + "; ++" + i + ")"
                         : "for (int " + i + " = " + count + "; " + i + " > 0; --" + i + ")");
  if (random().chance(25)) {
    line("if (" + i + " == " + random().word({"1", "2"}) + ") " +
         random().word({"break", "continue"}) + ";");
  }
  statements(1, depth + 1);
  if (random().chance(30)) {
    Block later(*this, "if (" + i + random().word({" > 0", " == 1", " == 0", " % 2 == 0"}) + ")");
    statements(1, depth + 1);
  }
  if (random().chance(50)) statements(1, depth + 1);
  return true;
}

bool Body::cuda_guard(int depth) {
  if (depth >= kDeepest) return false;
  Block block(*this, "");
  const std::string name = writer_.fresh("guard");
  if (random().chance(50) || tensors_.empty()) {
    line("c10::cuda::CUDAGuard " + name + "(1);");
    current_ = everywhere(world_, 1);
  } else {
    const Tensor& tensor = random().of(tensors_);
    line("c10::OptionalDeviceGuard " + name + "(" + tensor.name + ".device());");
    for (std::size_t run = 0; run < world_.runs; ++run) {
      if (tensor.at[run] != kCpu) current_[run] = tensor.at[run];
    }
  }
  statements(2, depth + 1);
  return true;
}

bool Body::fill_list(int /*depth*/) {
  const std::string name = writer_.fresh(random().word({"parts", "inputs", "list"}));
  if (const auto two = two_tensors(); two && random().chance(50)) {
    const Tensor& a = tensors_[two->first];
    line("std::vector<torch::Tensor> " + name + " = {" + a.name + ", " +
         tensors_[two->second].name + "};");
    add(List{name, a.at});
    return true;
  }
  const Places at = target();
  const std::string value = creation_at(at);
  if (value.empty()) return false;
  line("std::vector<torch::Tensor> " + name + ";");
  line("for (int i = 0; i < 3; ++i) " + name + ".push_back(" + value + ");");
  add(List{name, at});
  return true;
}

bool Body::walk_list(int depth) {
  if (lists_.empty()) return false;
  List& list = lists_[random().below(lists_.size())];
  const std::string item = writer_.fresh("item");
  auto [device, at] = some_device();
  const std::size_t kind = random().below(list.is_const ? 2 : 5);
  if (kind == 0 && depth < kDeepest) {
    Block block(*this, "for (const auto& " + item + " : " + list.name + ")");
    add(Tensor{.name = item, .at = list.at, .is_const = true, .has_graph = true});
    statements(1, depth + 1);
  } else if (kind <= 1) {
    const std::string start = creation_at(list.at);
    if (start.empty()) return false;
    const std::string sum = writer_.fresh("sum");
    line("torch::Tensor " + sum + " = " + start + ";");
    line("for (const auto& " + item + " : " + list.name + ") " + sum + " = " +
         operation(sum, item) + ";");
    add(Tensor{.name = sum, .at = list.at, .has_graph = true});
  } else if (kind == 2) {
    line("for (auto& " + item + " : " + list.name + ") " + item + " = " + item + ".to(" + device +
         ");");
    assign(list.at, at);
  } else if (kind == 3) {
    line("for (std::size_t i = 0; i < " + list.name + ".size(); ++i) " + list.name +
         "[i] = " + list.name + "[i].to(" + device + ");");
    assign(list.at, at);
  } else {
    if (is_careful() && !are_equal(list.at, at)) return false;
    line(list.name + "[0] = " + list.name + "[0].to(" + device + ");");
    if (!are_equal(list.at, at)) assign(list.at, everywhere(world_, kUnknown));
  }
  return true;
}

bool Body::use_list(int /*depth*/) {
  if (lists_.empty()) return false;
  List& list = lists_[random().below(lists_.size())];
  if (!list.is_const && random().chance(30)) {
    const auto operand = operand_at(list.at);
    if (!operand) return false;
    line(list.name + ".push_back(" + *operand + ");");
    return true;
  }
  const std::string value = random().of(std::vector<std::string>{
      "torch::stack(" + list.name + ").sum(0)", "torch::cat(" + list.name + ").narrow(0, 0, 4)",
      list.name + ".back()", list.name + "[0]", list.name + ".at(1)", list.name + ".front()"});
  declare(writer_.fresh("joined"), value, list.at, true);
  return true;
}

bool Body::use_map(int /*depth*/) {
  const auto two = two_tensors();
  if (!two) return false;
  const Tensor a = tensors_[two->first];
  const Tensor b = tensors_[two->second];
  const std::string name = writer_.fresh("table");
  line("std::map<std::string, torch::Tensor> " + name + ";");
  line(name + "[\"first\"] = " + a.name + ";");
  line(name + "[\"second\"] = " + b.name + ";");
  Places first = a.at;
  Places second = b.at;
  auto [device, at] = some_device();
  if (random().chance(40)) {
    const std::string value = writer_.fresh("value");
    line("for (auto& [key, " + value + "] : " + name + ") " + value + " = " + value + ".to(" +
         device + ");");
    assign(first, at);
    assign(second, at);
  } else if (random().chance(40)) {
    line(name + "[\"first\"] = " + name + ".at(\"first\").to(" + device + ");");
    assign(first, at);
  }
  declare(writer_.fresh("found"), name + "[\"first\"]", first, a.has_graph);
  declare(writer_.fresh("found"), name + ".at(\"second\")", second, b.has_graph);
  return true;
}

bool Body::load_batches(int depth) {
  if (depth >= kDeepest || world_.is_function) return false;
  const std::string batch = writer_.fresh("batch");
  const Places host = everywhere(world_, kCpu);
  std::string batches = writer_.fresh("loader");
  if (random().chance(50)) {
    line("auto " + batches + " = torch::data::make_data_loader(");
    line("    torch::data::datasets::TensorDataset(torch::rand({8, 4})).map(");
    line("        torch::data::transforms::Stack<torch::data::TensorExample>()), 4);");
    batches = "*" + batches;
  } else {
    line("std::vector<torch::data::Example<>> " + batches + ";");
    line("for (int i = 0; i < 2; ++i) " + batches +
         ".emplace_back(torch::rand({4, 4}), torch::rand({4, 4}));");
  }
  Block block(*this, "for (auto& " + batch + " : " + batches + ")");
  const std::string input = writer_.fresh("input");
  if (random().chance(70)) {
    auto [device, at] = some_device();
    declare(input, batch + ".data.to(" + device + ")", at, false);
  } else {
    declare(input, batch + ".data", host, false);
  }
  if (batches[0] != '*') declare(writer_.fresh("label"), batch + ".target", host, false);
  statements(2, depth + 1);
  return true;
}

}  // namespace placecheck::random_programs
