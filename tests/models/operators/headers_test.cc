// The curated tables against the headers of libtorch: every method of at::Tensor is an operation or
// a query, and every function of torch::nn::functional means an operation.

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "analyzer/models/operators/operators.h"

namespace placecheck::models {
namespace {

using Names = std::set<std::string>;

std::filesystem::path include_root() {
  const char* libtorch = std::getenv("LIBTORCH");
  return libtorch != nullptr ? std::filesystem::path(libtorch) / "include" : "/usr/include";
}

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The identifier that ends before `end`, or nothing.
std::string identifier_before(const std::string& line, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_identifier(line[begin - 1])) --begin;
  return line.substr(begin, end - begin);
}

// The name declared by a line that starts at the given column with a return type, or nothing.
std::string declared_name(const std::string& line, std::size_t column) {
  if (line.size() <= column || line.find_first_not_of(' ') != column) return "";
  if (!is_identifier(line[column])) return "";
  const auto open = line.find('(');
  if (open == std::string::npos) return "";
  const auto name = identifier_before(line, open);
  const bool has_type = open - name.size() > column;
  return has_type && line.find("operator") == std::string::npos ? name : "";
}

// Declarations at class level in the public parts of a class of this header.
Names public_methods(const std::filesystem::path& header, const std::string& class_head) {
  Names names;
  std::ifstream file(header);
  bool is_inside = false;
  bool is_public = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(class_head, 0) == 0) is_inside = true;
    if (line == "};") is_inside = false;
    if (line.find("public:") != std::string::npos) is_public = true;
    if (line.find("protected:") != std::string::npos) is_public = false;
    if (line.find("private:") != std::string::npos) is_public = false;
    if (is_inside && is_public) names.insert(declared_name(line, 2));
  }
  names.erase("");
  return names;
}

Names unknown_methods(const Names& methods) {
  Names unknown;
  for (const auto& name : methods) {
    const bool is_known = aten_name("at::Tensor::" + name) || find_tensor_query(name) != nullptr;
    if (!is_known && name.rfind("__dispatch_", 0) != 0) unknown.insert(name);
  }
  return unknown;
}

// What is neither: constructors, and the making of tensors out of their implementation.
const Names kNotForUsers = {"Tensor", "TensorBase", "unsafe_borrow_t", "wrap_tensor_impl"};

TEST(Headers, EveryMethodOfTensorIsAnOperationOrAQuery) {
  const auto core = include_root() / "ATen" / "core";
  const auto methods = public_methods(core / "TensorBody.h", "class TORCH_API Tensor");
  ASSERT_GT(methods.size(), 500u);
  for (const auto& name : unknown_methods(methods)) {
    EXPECT_TRUE(kNotForUsers.count(name)) << name;
  }
  const auto base_methods = public_methods(core / "TensorBase.h", "class TORCH_API TensorBase");
  ASSERT_GT(base_methods.size(), 60u);
  for (const auto& name : unknown_methods(base_methods)) {
    EXPECT_TRUE(kNotForUsers.count(name)) << name;
  }
}

TEST(Headers, EveryQueryIsAMethodOrOneOfOtherVersions) {
  const auto core = include_root() / "ATen" / "core";
  Names methods = public_methods(core / "TensorBody.h", "class TORCH_API Tensor");
  methods.merge(public_methods(core / "TensorBase.h", "class TORCH_API TensorBase"));
  // Of later versions, of Python, and those declared over more than one line.
  const Names others = {"const_data_ptr", "mutable_data_ptr", "ndim", "nelement", "shape",
                        "tolist"};
  for (const TensorQuery& query : all_tensor_queries()) {
    const std::string name(query.name);
    EXPECT_TRUE(methods.count(name) || others.count(name)) << name;
  }
}

Names functional_names() {
  Names names;
  const auto folder = include_root() / "torch/csrc/api/include/torch/nn/functional";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("inline ", 0) == 0) names.insert(declared_name(line, 0));
    }
  }
  names.erase("");
  return names;
}

TEST(Headers, EveryFunctionalMeansAnOperation) {
  const auto names = functional_names();
  ASSERT_GT(names.size(), 80u);
  const Names helpers = {"_dropoutNd_helper",   "_get_pad_mode_from_conv_padding",
                         "_interp_output_size", "_narrow_with_range",
                         "_pad_circular",       "_unpool_output_size",
                         "padding_unwrap"};
  for (const auto& name : names) {
    const auto operation = aten_name("torch::nn::functional::" + name);
    EXPECT_TRUE(operation || helpers.count(name)) << name;
    if (operation) {
      EXPECT_NE(find_operator(*operation), nullptr) << name;
    }
  }
}

}  // namespace
}  // namespace placecheck::models
