#include "tests/random_programs/body.h"

#include <algorithm>

namespace placecheck::random_programs {
namespace {

// A program must be short enough to be read.
constexpr int kMostLines = 40;

}  // namespace

Body::Body(Writer& writer, World world, int indent)
    : writer_(writer),
      world_(std::move(world)),
      indent_(indent),
      active_(world_.runs, true),
      current_(everywhere(world_, 0)) {}

void Body::line(const std::string& text) {
  text_ += std::string(static_cast<std::size_t>(2 * indent_), ' ') + text + "\n";
  ++lines_;
}

void Body::statements(int count, int depth) {
  static const std::vector<std::pair<int, Statement>> kStatements = {
      {4, &Body::create},
      {14, &Body::combine},
      {6, &Body::move},
      {6, &Body::guarded_move},
      {2, &Body::guarded_operation},
      {2, &Body::cuda_guard},
      {6, &Body::branch},
      {3, &Body::counted_loop},
      {4, &Body::choose},
      {3, &Body::alias},
      {2, &Body::fill_lazily},
      {3, &Body::in_place},
      {1, &Body::swap_tensors},
      {3, &Body::lambda},
      {2, &Body::fill_list},
      {4, &Body::walk_list},
      {4, &Body::use_list},
      {2, &Body::load_batches},
      {5, &Body::make_module},
      {3, &Body::move_module},
      {2, &Body::change_module},
      {9, &Body::call_module},
      {2, &Body::walk_modules},
      {3, &Body::train},
      {8, &Body::call_function},
      {2, &Body::use_pair},
      {2, &Body::use_map},
      {3, &Body::use_sample},
      {3, &Body::use_small_functions},
      {2, &Body::move_whole_list},
      {3, &Body::use_trainer},
      {2, &Body::use_dataset},
      {2, &Body::use_cache},
      {2, &Body::use_placement},
      {1, &Body::save_and_load},
  };
  static const std::vector<Statement> kByWeight = [] {
    std::vector<Statement> statements;
    for (const auto& [weight, statement] : kStatements) {
      statements.insert(statements.end(), static_cast<std::size_t>(weight), statement);
    }
    return statements;
  }();
  // The others need something to work on.
  for (int tries = 0; depth == 0 && tensors_.size() < 3 && tries < 20; ++tries) create(depth);
  for (int i = 0, tries = 0; i < count && tries < 40 * count && lines_ < kMostLines; ++tries) {
    if ((this->*random().of(kByWeight))(depth)) ++i;
  }
}

const Places& Body::place_of(const std::string& tensor) const {
  return std::ranges::find(tensors_, tensor, &Tensor::name)->at;
}

const Tensor& Body::tensor_at(const Places& at) {
  if (is_careful()) {
    for (std::size_t i = tensors_.size(); i-- > 0;) {
      if (are_equal(tensors_[i].at, at)) return tensors_[i];
    }
  }
  return random().of(tensors_);
}

Tensor* Body::find_tensor(const std::string& name) {
  const auto found = std::ranges::find(tensors_, name, &Tensor::name);
  return found == tensors_.end() ? nullptr : &*found;
}

bool Body::are_equal(const Places& a, const Places& b) const {
  for (std::size_t run = 0; run < world_.runs; ++run) {
    if (active_[run] && (a[run] != b[run] || a[run] == kUnknown)) return false;
  }
  return true;
}

bool Body::are_all(const Places& places, int place) const {
  for (std::size_t run = 0; run < world_.runs; ++run) {
    if (active_[run] && places[run] != place) return false;
  }
  return true;
}

Places Body::resolved(const Places& places) const {
  Places result = places;
  for (std::size_t run = 0; run < world_.runs; ++run) {
    if (result[run] == kCurrent) result[run] = current_[run];
  }
  return result;
}

void Body::assign(Places& places, const Places& value) {
  for (std::size_t run = 0; run < world_.runs; ++run) {
    if (active_[run]) places[run] = value[run];
  }
}

void Body::set(const Places& value, Tensor& tensor) { assign(tensor.at, value); }

void Body::declare(const std::string& name, const std::string& value, const Places& at,
                   bool has_graph) {
  line((random().chance(60) ? "auto " : "torch::Tensor ") + name + " = " + value + ";");
  add(Tensor{.name = name, .at = at, .has_graph = has_graph});
}

Places Body::target() {
  const std::size_t kind = random().below(100);
  if (kind < 35 && !devices_.empty()) return resolved(devices_[0].at);
  if (kind < 55 && !tensors_.empty()) return random().of(tensors_).at;
  if (kind < 80 && !devices_.empty()) return resolved(random().of(devices_).at);
  if (world_.is_function && is_careful()) return everywhere(world_, kFirstGroup);
  return everywhere(world_, static_cast<int>(random().below(3)) - 1);
}

std::string Body::device_at(const Places& at) {
  std::vector<std::string> found;
  if (!world_.is_function || !is_careful()) {
    if (are_all(at, kCpu)) found.emplace_back("torch::kCPU");
    if (are_equal(at, current_)) found.emplace_back("torch::kCUDA");
    if (are_all(at, 0)) found.emplace_back("torch::Device(torch::kCUDA, 0)");
    if (are_all(at, 1))
      found.emplace_back(
          random().word({"torch::Device(torch::kCUDA, 1)", "torch::Device(\"cuda:1\")"}));
  }
  for (const Device& device : devices_) {
    if (are_equal(resolved(device.at), at)) found.insert(found.end(), 3, device.name);
  }
  for (const Tensor& tensor : tensors_) {
    if (are_equal(tensor.at, at)) found.push_back(tensor.name + ".device()");
  }
  for (const Condition& condition : world_.conditions) {
    Places chosen = everywhere(world_, kCpu);
    for (std::size_t run = 0; run < world_.runs; ++run) {
      if (condition.holds[run]) chosen[run] = current_[run];
    }
    if (are_equal(chosen, at))
      found.push_back("(" + condition.text + " ? torch::kCUDA : torch::kCPU)");
  }
  return found.empty() ? "" : random().of(found);
}

std::pair<std::string, Places> Body::some_device() {
  for (int tries = 0; tries < 5; ++tries) {
    Places at = target();
    std::string device = device_at(at);
    if (!device.empty()) return {device, at};
  }
  if (!tensors_.empty()) {
    const Tensor& tensor = random().of(tensors_);
    return {tensor.name + ".device()", tensor.at};
  }
  return {"torch::kCPU", everywhere(world_, kCpu)};
}

std::string Body::creation_at(const Places& at) {
  const std::string made = random().word({"torch::rand", "torch::ones", "torch::randn"});
  if (are_all(at, kCpu) && random().chance(70)) return made + "({4, 4})";
  for (const Tensor& tensor : tensors_) {
    if (!are_equal(tensor.at, at) || !random().chance(20)) continue;
    const std::string& name = tensor.name;
    return random().of(std::vector<std::string>{
        "torch::ones_like(" + name + ")", made + "({4, 4}, " + name + ".options())",
        "torch::zeros_like(" + name + ")", made + "({4, 4}).to(" + name + ".device())"});
  }
  const std::string device = device_at(at);
  if (device.empty()) return {};
  return random().of(std::vector<std::string>{
      made + "({4, 4}, " + device + ")", made + "({4, 4}).to(" + device + ")",
      made + "({4, 4}, torch::TensorOptions().device(" + device + "))"});
}

std::optional<std::size_t> Body::some_tensor(bool is_assignable) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!is_assignable || !tensors_[i].is_const) found.push_back(i);
  }
  if (found.empty()) return {};
  return random().of(found);
}

std::optional<std::size_t> Body::tensor_where(const Places& at, bool is_equal) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (are_equal(tensors_[i].at, at) == is_equal) found.push_back(i);
  }
  if (found.empty()) return {};
  return random().of(found);
}

std::optional<std::pair<std::size_t, std::size_t>> Body::two_tensors() {
  if (tensors_.size() < 2) return {};
  const bool is_right = is_careful();
  for (int tries = 0; tries < 10; ++tries) {
    const std::size_t a = random().below(tensors_.size());
    auto b = tensor_where(tensors_[a].at, is_right);
    if (!b) b = tensor_where(tensors_[a].at, true);
    if (b && a != *b) return {{a, *b}};
  }
  return {};
}

std::string Body::wrong_operand(const Places& at) {
  if (const auto other = tensor_where(at, false)) return tensors_[*other].name;
  return are_all(at, kCpu) ? "torch::ones({4, 4}, torch::kCUDA)" : "torch::ones({4, 4})";
}

std::optional<std::string> Body::operand_at(const Places& at) {
  if (!is_careful()) return wrong_operand(at);
  if (const auto equal = tensor_where(at, true); equal && random().chance(80)) {
    return tensors_[*equal].name;
  }
  const std::string device = device_at(at);
  if (device.empty() || tensors_.empty()) return {};
  return random().of(tensors_).name + ".to(" + device + ")";
}

std::string Body::operation(const std::string& a, const std::string& b) {
  return random().of(std::vector<std::string>{
      a + " + " + b, a + " * " + b, a + " - " + b, a + ".mm(" + b + ")",
      "torch::matmul(" + a + ", " + b + ")", "torch::add(" + a + ", " + b + ")",
      "torch::where(" + a + " > 0, " + a + ", " + b + ")",
      "torch::cat({" + a + ", " + b + "}).narrow(0, 0, 4)",
      "torch::stack({" + a + ", " + b + "}).sum(0)", "torch::max(" + a + ", " + b + ")",
      a + " + torch::mse_loss(" + a + ", " + b + ")", a + " * " + b + ".sum()",
      a + ".masked_fill(" + b + " > 0, 1.0)", "torch::addmm(" + a + ", " + b + ", " + a + ")",
      a + " * torch::tensor(0.5) + " + b});
}

std::optional<Condition> Body::some_condition() {
  if (world_.conditions.empty()) return {};
  Condition condition = random().of(world_.conditions);
  if (random().chance(30)) {
    condition.text =
        "!" + (condition.text.find(' ') == std::string::npos ? condition.text
                                                             : "(" + condition.text + ")");
    condition.holds.flip();
  }
  return condition;
}

}  // namespace placecheck::random_programs
