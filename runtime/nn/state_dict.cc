// Saving and loading of states, with PyTorch's order and wording of complaints.
#include "runtime/nn/state_dict.h"

#include <algorithm>
#include <string_view>

#include "rules/state_dict_prefix.h"
#include "rules/state_dict_silent_miss.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/core/check.h"
#include "runtime/core/warning.h"
#include "runtime/nn/module.h"

namespace placecheck::runtime::nn {
namespace {

// torch.Size([2, 3])
std::string size_text(const Shape& sizes) { return text_of("torch.Size(", sizes, ")"); }

std::optional<std::int64_t> version_of(const StateDict& state, const std::string& prefix) {
  std::string path = prefix.empty() ? "" : prefix.substr(0, prefix.size() - 1);
  auto found = state.versions.find(path);
  if (found == state.versions.end()) return std::nullopt;
  return found->second;
}

void save(const Module& module, const std::string& prefix, StateDict& into) {
  std::string path = prefix.empty() ? "" : prefix.substr(0, prefix.size() - 1);
  into.versions[path] = module.state_version().value_or(1);
  for (const auto* tensors : {&module.own_parameters(), &module.own_buffers()}) {
    for (const auto& item : *tensors) {
      if (item.value().defined()) into.insert(prefix + item.key(), item.value().detach());
    }
  }
  for (const auto& item : module.own_children()) {
    save(*item.value().module, prefix + item.key() + ".", into);
  }
}

struct Loading {
  StateDict state;  // may be completed by modules on the way
  std::vector<std::string> missing;
  std::vector<std::string> unexpected;
  std::vector<std::string> mismatches;
};

void load_tensor(const std::string& key, const Tensor& target, Loading& loading) {
  const Tensor* value = loading.state.find(key);
  if (value == nullptr) {
    loading.missing.push_back(key);
    return;
  }
  // Scalars were saved with one element once.
  bool is_old_scalar = target.dim() == 0 && value->dim() == 1 && value->numel() == 1;
  Tensor source = is_old_scalar ? value->reshape({}) : *value;
  if (source.sizes() == target.sizes()) {
    target.copy_(source);
    return;
  }
  loading.mismatches.push_back(
      "size mismatch for " + key + ": copying a param with shape " + size_text(source.sizes()) +
      " from checkpoint, the shape in current model is " + size_text(target.sizes()) + ".");
}

bool is_expected(const Module& module, std::string_view rest) {
  std::size_t dot = rest.find('.');
  std::string first(rest.substr(0, dot));
  if (dot != std::string_view::npos) return module.own_children().contains(first);
  const Tensor* parameter = module.own_parameters().find(first);
  const Tensor* buffer = module.own_buffers().find(first);
  return (parameter != nullptr && parameter->defined()) ||
         (buffer != nullptr && buffer->defined()) || module.own_children().contains(first);
}

void find_unexpected(const Module& module, const std::string& prefix, Loading& loading) {
  for (const auto& item : loading.state) {
    if (!item.key().starts_with(prefix)) continue;
    if (!is_expected(module, std::string_view(item.key()).substr(prefix.size()))) {
      loading.unexpected.push_back(item.key());
    }
  }
}

void load(const Module& module, const std::string& prefix, Loading& loading) {
  module.upgrade_state(loading.state, prefix, version_of(loading.state, prefix));
  for (const auto* tensors : {&module.own_parameters(), &module.own_buffers()}) {
    for (const auto& item : *tensors) {
      if (item.value().defined()) load_tensor(prefix + item.key(), item.value(), loading);
    }
  }
  find_unexpected(module, prefix, loading);
  for (const auto& item : module.own_children()) {
    load(*item.value().module, prefix + item.key() + ".", loading);
  }
}

std::vector<std::string_view> views(const std::vector<std::string>& keys) {
  return {keys.begin(), keys.end()};
}

// How many "module." stand before every key.
rules::PrefixFact prefix_of(const std::vector<std::string>& keys) {
  auto is_wrapped = [](const std::string& key) { return key.starts_with("module."); };
  if (keys.empty()) return rules::PrefixFact::unknown();
  if (std::all_of(keys.begin(), keys.end(), is_wrapped)) return rules::PrefixFact::wrapped();
  if (std::none_of(keys.begin(), keys.end(), is_wrapped)) return rules::PrefixFact::bare();
  return rules::PrefixFact::unknown();
}

struct Prefixes {
  rules::PrefixFact saved;
  rules::PrefixFact own;
};
Prefixes prefixes_of(const Loading& loading, const Module& module) {
  return {prefix_of(loading.state.keys()), prefix_of(module.state_dict().keys())};
}

// What differs by the wrapper's prefix breaks a rule; what differs otherwise is an error like
// others.
[[noreturn]] void complain(const std::string& text, const Loading& loading, const Module& module) {
  namespace rule = rules::state_dict_prefix;
  Prefixes prefixes = prefixes_of(loading, module);
  if (rule::judge(prefixes.saved, prefixes.own, rules::Trait::kYes) == rules::Verdict::kBroken) {
    throw RuleError(rule::kRule, text);
  }
  throw Error(text);
}

// PyTorch says nothing where no key was required and none was found.
void warn_of_silent_miss(const Loading& loading, const Module& module) {
  namespace rule = rules::state_dict_silent_miss;
  if (loading.missing.empty() || loading.unexpected.empty()) return;
  Prefixes prefixes = prefixes_of(loading, module);
  if (rule::judge(prefixes.saved, prefixes.own, rules::Trait::kNo) != rules::Verdict::kBroken) {
    return;
  }
  warn(text_of(rule::message(), " [", rule::kRule.id, "]"));
}

}  // namespace

void consume_prefix_in_state_dict_if_present(StateDict& state_dict, const std::string& prefix) {
  for (const std::string& key : state_dict.keys()) {
    if (!key.starts_with(prefix)) continue;
    Tensor value = state_dict[key];
    state_dict.erase(key);
    state_dict.insert(key.substr(prefix.size()), value);
  }
  std::map<std::string, std::int64_t> versions;
  for (const auto& [path, version] : state_dict.versions) {
    bool is_prefix = path + "." == prefix;
    bool has_prefix = path.starts_with(prefix);
    versions[is_prefix ? "" : has_prefix ? path.substr(prefix.size()) : path] = version;
  }
  state_dict.versions = std::move(versions);
}

void Module::upgrade_state(StateDict&, const std::string&, std::optional<std::int64_t>) const {}

StateDict Module::state_dict() const {
  StateDict result;
  save(*this, "", result);
  return result;
}

IncompatibleKeys Module::load_state_dict(const StateDict& state_dict, bool strict) {
  NoGradGuard no_grad;
  Loading loading{state_dict, {}, {}, {}};
  load(*this, "", loading);
  bool has_key_errors = strict && !(loading.missing.empty() && loading.unexpected.empty());
  if (has_key_errors || !loading.mismatches.empty()) {
    auto none = std::vector<std::string_view>();
    std::string text = rules::state_dict_prefix::message(
        name(), strict ? views(loading.missing) : none, strict ? views(loading.unexpected) : none);
    for (const std::string& mismatch : loading.mismatches) text += "\n\t" + mismatch;
    complain(text, loading, *this);
  }
  if (!strict) warn_of_silent_miss(loading, *this);
  return {loading.missing, loading.unexpected};
}

}  // namespace placecheck::runtime::nn
