// module-clone: a module is cloned whose class cannot be cloned.
// Source of the texts: Module::clone() and Cloneable::clone() of libtorch (torch/nn/cloneable.h).
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_MODULE_CLONE_H_
#define PLACECHECK_RULES_MODULE_CLONE_H_

#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::module_clone {

inline constexpr Rule kRule{
    .id = "module-clone",
    .summary = "a module is cloned, or replicated, whose class cannot be cloned",
    .category = Category::kDataParallel,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = false},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error =
        "clone() has not been implemented for Net. Subclass "
        "torch::nn::Cloneable<Net> instead of torch::nn::Module to inherit the "
        "ability to clone.",
};

// `is_cloneable`: the class implements clone(), and its reset() registers as much as it has.
constexpr Verdict judge(Trait is_cloneable) {
  if (is_cloneable == Trait::kUnknown) return Verdict::kUnknown;
  return is_cloneable == Trait::kNo ? Verdict::kBroken : Verdict::kHolds;
}

inline std::string not_implemented(std::string_view module) {
  const std::string name(module);
  return "clone() has not been implemented for " + name + ". Subclass torch::nn::Cloneable<" +
         name + "> instead of torch::nn::Module to inherit the ability to clone.";
}

// `what`: "parameters", "buffers" or "child modules"; `function`: the one that registers such.
inline std::string not_registered(std::string_view what, std::string_view function) {
  return "The cloned module does not have the same number of " + std::string(what) +
         " as the original module after calling reset(). Are you sure you called " +
         std::string(function) + "() inside reset() and not the constructor?";
}

}  // namespace placecheck::rules::module_clone

#endif  // PLACECHECK_RULES_MODULE_CLONE_H_
