#include "analyzer/models_file.h"

#include <algorithm>

#include "analyzer/files/regular_file.h"
#include "analyzer/options.h"
#include "analyzer/yaml_text.h"

namespace {

struct ModelRow {
  std::string name;
  std::string effect;
  std::string returns;
};

struct ModelsFile {
  std::vector<ModelRow> calls;
};

bool is_device(llvm::StringRef text) {
  if (text == "cpu" || text == "cuda") return true;
  unsigned index = 0;
  return text.consume_front("cuda:") && !text.getAsInteger(10, index);
}

std::string unknown_effect(const std::string& name) {
  std::vector<std::string_view> names = placecheck::models::effect_names();
  std::string near = placecheck::nearest_word(name, names);
  if (!near.empty()) return "there is no effect '" + name + "'; did you mean '" + near + "'?";
  std::string text = "there is no effect '" + name + "'; accepted:";
  for (std::string_view each : names) text.append(" ").append(each);
  return text;
}

}  // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(ModelRow)

namespace llvm::yaml {

template <>
struct MappingTraits<ModelRow> {
  static void mapping(IO& io, ModelRow& row) {
    io.mapRequired("name", row.name);
    io.mapOptional("effect", row.effect);
    io.mapOptional("returns", row.returns);
  }

  static std::string validate(IO&, ModelRow& row) {
    if (row.name.empty()) return "a call needs a name, such as house::load_image";
    if (row.effect.empty() == row.returns.empty())
      return "'" + row.name + "' needs either an effect or what it returns";
    if (!row.effect.empty() && !placecheck::models::effect_named(row.effect))
      return unknown_effect(row.effect);
    if (!row.returns.empty() && !is_device(row.returns))
      return "'" + row.returns + "' is no device; accepted: cpu, cuda, cuda:N";
    return "";
  }
};

template <>
struct MappingTraits<ModelsFile> {
  static void mapping(IO& io, ModelsFile& file) { io.mapRequired("calls", file.calls); }
};

}  // namespace llvm::yaml

namespace placecheck {

std::string add_models(const std::string& text, const std::string& path,
                       models::UserModels& models) {
  ModelsFile file;
  if (std::string error = read_yaml(text, path, file); !error.empty()) return error;
  for (ModelRow& row : file.calls)
    models.by_name[row.name] = {models::effect_named(row.effect), std::move(row.returns)};
  return "";
}

std::string load_models(const std::string& path, models::UserModels& models) {
  auto buffer = files::read_regular_file(path, files::kMaxSettings);
  if (!buffer)
    return "models '" + path +
           "' cannot be read: " + files::why_unreadable(buffer.getError(), files::kMaxSettings);
  return add_models((*buffer)->getBuffer().str(), path, models);
}

}  // namespace placecheck
