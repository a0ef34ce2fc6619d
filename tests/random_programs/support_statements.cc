// Statements about what support.h has.
#include <tuple>

#include "tests/random_programs/block.h"
#include "tests/random_programs/body.h"

namespace placecheck::random_programs {

bool Body::use_sample(int /*depth*/) {
  const auto two = two_tensors();
  if (!two) return false;
  writer_.need(Support::kSample);
  const Tensor data = tensors_[two->first];
  const Tensor label = tensors_[two->second];
  Places of_data = data.at;
  Places of_label = label.at;
  const std::string name = writer_.fresh("sample");
  const bool has_graph = data.has_graph || label.has_graph;
  line("Sample " + name + "{" + data.name + ", " + label.name + "};");
  auto [device, at] = some_device();
  const std::size_t kind = random().below(4);
  if (kind == 0) line(name + ".move(" + device + ");");
  if (kind == 1) line(name + " = " + name + ".to(" + device + ");");
  if (kind == 2) line(name + ".data = " + name + ".data.to(" + device + ");");
  if (kind <= 2) assign(of_data, at);
  if (kind <= 1) assign(of_label, at);
  if (are_equal(of_data, of_label) || !is_careful()) {
    declare(writer_.fresh("mixed"), operation(name + ".data", name + ".label"), of_data, has_graph);
    return true;
  }
  declare(writer_.fresh("data"), name + ".data", of_data, has_graph);
  declare(writer_.fresh("label"), name + ".label", of_label, has_graph);
  return true;
}

bool Body::use_small_functions(int /*depth*/) {
  if (tensors_.size() < 2) return false;
  const Tensor a = random().of(tensors_);
  const Tensor b = random().of(tensors_);
  if (random().chance(60)) {
    writer_.need(Support::kLike);
    const std::string value = "like(" + a.name + ", " + b.name + ")";
    declare(writer_.fresh("sum"), random().chance(50) ? value : operation(b.name, value), b.at,
            a.has_graph || b.has_graph);
    return true;
  }
  writer_.need(Support::kSplit);
  auto [device, at] = some_device();
  const std::string one = writer_.fresh("left");
  const std::string two = writer_.fresh("right");
  line("auto [" + one + ", " + two + "] = split(" + a.name + ", " + device + ");");
  add(Tensor{.name = one, .at = at, .has_graph = a.has_graph});
  add(Tensor{.name = two, .at = a.at, .has_graph = a.has_graph});
  return true;
}

bool Body::move_whole_list(int /*depth*/) {
  for (List& list : lists_) {
    if (list.is_const || !random().chance(60)) continue;
    writer_.need(Support::kMoveAll);
    auto [device, at] = some_device();
    line("move_all(" + list.name + ", " + device + ");");
    assign(list.at, at);
    return true;
  }
  return false;
}

bool Body::use_trainer(int /*depth*/) {
  if (tensors_.empty()) return false;
  writer_.need(Support::kTrainer);
  auto [device, at] = some_device();
  const std::string name = writer_.fresh("trainer");
  line("Trainer " + name + "(" + device + ");");
  if (random().chance(40)) {
    std::tie(device, at) = some_device();
    const auto condition = some_condition();
    if (condition && is_careful() && random().chance(50)) {
      line("if (" + condition->text + ") " + name + ".move(" + device + ");");
      at = everywhere(world_, kUnknown);
    } else {
      line(name + ".move(" + device + ");");
    }
  }
  const auto operand = operand_at(at);
  if (operand && random().chance(50)) {
    declare(writer_.fresh("stepped"), name + ".raw(" + *operand + ")", at, true);
  } else {
    declare(writer_.fresh("stepped"), name + ".step(" + random().of(tensors_).name + ")", at, true);
  }
  return true;
}

bool Body::use_dataset(int depth) {
  if (depth > 1 || world_.is_function) return false;
  writer_.need(Support::kDataset);
  auto [device, at] = some_device();
  const std::string loader = writer_.fresh("rows");
  line("auto " + loader + " = torch::data::make_data_loader(Rows(" + device +
       ").map(torch::data::transforms::Stack<>()), 4);");
  const std::string batch = writer_.fresh("batch");
  Block block(*this, "for (auto& " + batch + " : *" + loader + ")");
  declare(writer_.fresh("input"), batch + ".data", at, false);
  if (random().chance(40)) {
    declare(writer_.fresh("label"), batch + ".target", everywhere(world_, kCpu), false);
  }
  statements(2, depth + 1);
  return true;
}

bool Body::use_cache(int /*depth*/) {
  if (tensors_.size() < 2) return false;
  writer_.need(Support::kCache);
  const std::string name = writer_.fresh("masks");
  const Tensor a = random().of(tensors_);
  const Tensor b = random().of(tensors_);
  line("Cache " + name + ";");
  const std::string method = random().word({".get(", ".get(", ".first("});
  declare(writer_.fresh("kept"), operation(a.name, name + method + a.name + ")"), a.at,
          a.has_graph);
  if (method == ".get(" || are_equal(a.at, b.at) || !is_careful()) {
    declare(writer_.fresh("kept"), operation(b.name, name + method + b.name + ")"), b.at,
            b.has_graph);
  }
  return true;
}

bool Body::use_placement(int /*depth*/) {
  if (world_.is_function) return false;
  writer_.need(Support::kSettings);
  auto [model, of_model] = some_device();
  auto [data, of_data] = some_device();
  const std::string name = writer_.fresh("placement");
  line("const Placement " + name + " = placement_of(" + model + ", " + data + ");");
  add(Device{name + ".model", of_model});
  add(Device{name + ".data", of_data});
  return true;
}

bool Body::save_and_load(int depth) {
  if (world_.is_function || depth > 0 || tensors_.empty()) return false;
  const Tensor tensor = random().of(tensors_);
  const std::string name = writer_.fresh("loaded");
  line("torch::save(" + tensor.name + ", \"" + name + ".pt\");");
  line("torch::Tensor " + name + ";");
  if (random().chance(50)) {
    auto [device, at] = some_device();
    line("torch::load(" + name + ", \"" + name + ".pt\", " + device + ");");
    add(Tensor{.name = name, .at = at});
    return true;
  }
  line("torch::load(" + name + ", \"" + name + ".pt\");");
  add(Tensor{.name = name, .at = tensor.at});
  return true;
}

}  // namespace placecheck::random_programs
