#include "analyzer/settings.h"

#include "analyzer/config.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/models_file.h"
#include "rules/catalog.h"

namespace placecheck {

std::vector<std::string_view> rule_ids() {
  std::vector<std::string_view> ids;
  for (const rules::Rule& rule : rules::catalog()) ids.push_back(rule.id);
  return ids;
}

namespace {

// The name of a category stands for its rules.
std::vector<std::string> without_categories(const std::vector<std::string>& given) {
  std::vector<std::string> ids;
  for (const std::string& each : given) {
    const bool is_signed = each.starts_with("-") || each.starts_with("+");
    const std::string sign = is_signed ? each.substr(0, 1) : "";
    const size_t before = ids.size();
    for (const rules::Rule& rule : rules::catalog()) {
      if (rules::name(rule.category) == std::string_view(each).substr(sign.size()))
        ids.push_back(sign + std::string(rule.id));
    }
    if (ids.size() == before) ids.push_back(each);
  }
  return ids;
}

}  // namespace

std::vector<std::string_view> enabled_rules(const Options& options) {
  std::vector<std::string_view> ids = rule_ids();
  std::erase_if(ids, [&](std::string_view id) {
    const rules::Rule* rule = rules::find_rule(id);
    return !rule_enabled(options, id, !rule || !rule->is_asked_for);
  });
  return ids;
}

std::vector<std::string> read_config(Options& options, const std::string& base) {
  // An action of a build system is given all that it reads.
  const bool is_looked_for = options.emit_unit.empty() && !options.units;
  std::string path;
  if (!options.config.empty())
    path = discovery::absolute_path(options.config, base);
  else if (is_looked_for)
    path = find_config(base);
  if (path.empty()) return {};
  ConfigResult result = load_config(path);
  if (!result.error.empty()) return {std::move(result.error)};
  apply_config(result.config, options);
  return {};
}

std::vector<std::string> complete(Settings& settings, const std::string& base) {
  settings.options.rules = without_categories(settings.options.rules);
  std::vector<std::string> errors = check_rule_names(settings.options, rule_ids());
  for (const std::string& file : settings.options.models) {
    std::string error = load_models(discovery::absolute_path(file, base), settings.models);
    if (!error.empty()) errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace placecheck
