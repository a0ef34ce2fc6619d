// A random libtorch program: its files, and how it is run for every choice of its inputs.
//
// The same seed makes the same program everywhere. Errors: none. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::random_programs {

struct File {
  std::string name;  // "main.cc"
  std::string text;
};

// One choice of the inputs.
struct Run {
  std::vector<std::string> environment;  // "STEPS=2"
  std::vector<std::string> arguments;
};

struct Program {
  std::string name;         // "program_17"
  std::vector<File> files;  // headers before the sources that include them, main.cc last
  std::vector<Run> runs;
};

Program generate(const std::string& name, std::uint64_t seed);

// `count` programs, whose seeds follow from `seed`.
std::vector<Program> generate_all(std::uint64_t seed, std::size_t count);

// One source with all of `programs`, each in a namespace of its own, for runner.cc. Debug
// information names lines of "NAME/FILE". It includes `prelude` first.
std::string batch_of(const std::vector<Program>& programs, std::string_view prelude);

}  // namespace placecheck::random_programs
