#include "tests/random_programs/program.h"

#include <cctype>
#include <sstream>
#include <utility>

#include "tests/random_programs/body.h"
#include "tests/random_programs/inputs.h"

namespace placecheck::random_programs {
namespace {

constexpr std::string_view kIncludes = R"(#include <c10/cuda/CUDAGuard.h>
#include <torch/torch.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

)";

bool is_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool mentions(const std::string& text, const std::string& name) {
  if (name.empty()) return false;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool is_begin = at == 0 || !is_of_a_name(text[at - 1]);
    if (is_begin && (end == text.size() || !is_of_a_name(text[end]))) return true;
  }
  return false;
}

class ProgramText {
 public:
  ProgramText(std::string name, std::uint64_t seed)
      : writer_(seed),
        random_(writer_.random()),
        inputs_(choose_inputs(random_)),
        body_(writer_, world_of(inputs_)) {
    made_.name = std::move(name);
  }

  Program result() && {
    declare_device("device");
    if (random_.chance(50)) {
      declare_device("other_device");
    } else if (random_.chance(30)) {
      body_.line("torch::Device host(torch::kCPU);");
      body_.add(Device{"host", everywhere(body_.world(), kCpu)});
    }
    body_.statements(6 + static_cast<int>(random_.below(8)), 0);
    if (body_.has_tensors()) {
      body_.line("std::cout << " + body_.tensor_at(everywhere(body_.world(), kCpu)).name +
                 ".sizes() << '\\n';");
    }
    body_.call_modules_without_a_call();
    choose_definitions();
    random_.chance(25) ? write_several_files() : write_one_file();
    made_.runs = std::move(inputs_.runs);
    return std::move(made_);
  }

 private:
  World world_of(const Inputs& inputs) const {
    World world = inputs.world;
    world.care = writer_.care();
    world.has_gradients = writer_.has_gradients();
    return world;
  }

  void declare_device(const std::string& name) {
    const World& world = body_.world();
    Device device{name, everywhere(world, kCurrent)};
    std::string start = "torch::Device " + name;
    switch (random_.below(4)) {
      case 0:
        body_.line(start + "(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);");
        break;
      case 1:
        body_.line(start + "(" +
                   random_.word({"torch::kCUDA", "\"cuda\"", "c10::DeviceType::CUDA"}) + ");");
        break;
      default:
        declare_chosen(start, device);
    }
    body_.add(std::move(device));
  }

  // A device that the inputs choose.
  void declare_chosen(const std::string& start, Device& device) {
    const World& world = body_.world();
    if (!inputs_.texts.empty() && random_.chance(60)) {
      body_.line(start + "(" + inputs_.texts[0].text + ");");
      device.at = inputs_.texts[0].values;
    } else if (!world.indices.empty() && random_.chance(60)) {
      body_.line(start + "(torch::kCUDA, static_cast<c10::DeviceIndex>(" + world.indices[0].text +
                 "));");
      device.at = world.indices[0].values;
    } else {
      const Condition& condition = random_.of(world.conditions);
      const bool is_second = random_.chance(40);
      for (std::size_t run = 0; run < world.runs; ++run) {
        device.at[run] = !condition.holds[run] ? kCpu : is_second ? 1 : kCurrent;
      }
      const std::string cuda = is_second ? "torch::Device(torch::kCUDA, 1)" : "torch::kCUDA";
      if (!is_second && random_.chance(50)) {
        body_.line(start + "(" + condition.text + " ? torch::kCUDA : torch::kCPU);");
      } else {
        body_.line(start + "(torch::kCPU);");
        body_.line("if (" + condition.text + ") " + device.name + " = " + cuda + ";");
      }
    }
  }

  // Without what nothing uses: the checker would judge it by itself, and no run could tell.
  void choose_definitions() {
    std::string users = body_.text();
    for (const Function& each : writer_.functions()) {
      if (!mentions(users, each.name)) continue;
      declarations_ += each.declaration + ";\n";
      functions_ += each.text;
    }
    users += functions_;
    for (auto each = writer_.classes().rbegin(); each != writer_.classes().rend(); ++each) {
      if (!mentions(users, each->name) && !mentions(users, each->factory)) continue;
      classes_ = each->text + classes_;
      users += each->text;
    }
    for (const Support each : writer_.supports()) supports_ += text_of(each);
  }

  std::string main_function() const {
    std::string head =
        inputs_.has_arguments ? "int main(int argc, char** argv) {\n" : "int main() {\n";
    if (!writer_.has_gradients()) head += "  torch::NoGradGuard no_grad;\n";
    return inputs_.declarations + head + inputs_.statements + body_.text() + "  return 0;\n}\n";
  }

  void write_one_file() {
    made_.files.push_back(
        {"main.cc", std::string(kIncludes) + supports_ + classes_ + functions_ + main_function()});
  }

  void write_several_files() {
    const std::string header =
        "#pragma once\n\n" + std::string(kIncludes) + supports_ + classes_ + declarations_;
    const std::string include = "#include \"layers.h\"\n\n";
    made_.files.push_back({"layers.h", header});
    made_.files.push_back({"layers.cc", include + functions_});
    made_.files.push_back({"main.cc", include + main_function()});
  }

  Writer writer_;
  Random& random_;
  Inputs inputs_;
  Body body_;
  std::string supports_;
  std::string classes_;
  std::string declarations_;
  std::string functions_;
  Program made_;
};

// Includes are the prelude's; the numbers of the lines stay.
std::string without_directives(const std::string& text) {
  std::istringstream in(text);
  std::string result;
  for (std::string line; std::getline(in, line);) {
    result += (line.starts_with('#') ? "" : line) + "\n";
  }
  return result;
}

std::string escaped(const Run& run) {
  std::string text;
  for (const std::string& variable : run.environment) text += variable + " ";
  text += "--";
  for (const std::string& argument : run.arguments) text += " " + argument;
  return text + "\\n";
}

}  // namespace

Program generate(const std::string& name, std::uint64_t seed) {
  return ProgramText(name, seed).result();
}

std::vector<Program> generate_all(std::uint64_t seed, std::size_t count) {
  std::vector<Program> programs;
  for (std::size_t i = 0; i < count; ++i) {
    programs.push_back(generate("program_" + std::to_string(i), seed * 1'000'003 + i));
  }
  return programs;
}

std::string batch_of(const std::vector<Program>& programs, std::string_view prelude) {
  std::string text = "#include \"" + std::string(prelude) + "\"\n";
  text += "#include \"tests/random_programs/entry.h\"\n";
  std::string table;
  for (const Program& program : programs) {
    text += "namespace " + program.name + " {\n";
    for (const File& file : program.files) {
      text +=
          "#line 1 \"" + program.name + "/" + file.name + "\"\n" + without_directives(file.text);
    }
    text += "#line 1 \"batch\"\n";
    text +=
        "std::string setting(const char* name) {\n"
        "  const char* value = std::getenv(name);\n"
        "  return value == nullptr ? \"\" : value;\n}\n"
        "}  // namespace " +
        program.name + "\n";
    std::string runs;
    for (const Run& run : program.runs) runs += escaped(run);
    table +=
        "    {\"" + program.name + "\", &run<&" + program.name + "::main>, \"" + runs + "\"},\n";
  }
  return text +
         "namespace placecheck::random_programs {\nextern \"C\" const Entry kEntries[] = {\n" +
         table +
         "    {nullptr, nullptr, nullptr},\n};\n}  // namespace placecheck::random_programs\n";
}

}  // namespace placecheck::random_programs
