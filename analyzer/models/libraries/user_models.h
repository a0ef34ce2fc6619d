// What the calls of a house library mean, as a user's table says: the same kind of rows as ours,
// read at run time, and looked up before them.
//
// Plain values; read-only once filled, so that several threads may look up at once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/models/libraries/effects.h"

namespace placecheck::models {

// One of the two is there.
struct UserModel {
  std::optional<Effect> effect;
  std::string returns;  // the device on which every tensor of the result is, as PyTorch spells it
};

struct UserModels {
  std::map<std::string, UserModel, std::less<>> by_name;  // qualified: "house::load_image"

  const UserModel* find(std::string_view name) const;
};

// The effects that a user's table can name, sorted.
std::vector<std::string_view> effect_names();
std::optional<Effect> effect_named(std::string_view name);

}  // namespace placecheck::models
