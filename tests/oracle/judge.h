// Compares what the checker says of a random program with what the program does on every choice of
// its inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/oracle/interpreter.h"
#include "tests/oracle/source_program.h"

namespace placecheck::oracle {

// What the checker says and no run bears out.
struct Violation {
  enum class Kind : uint8_t {
    kFalseAlarm,  // a finding at an instruction that fails in no run
    kWrongPlace,  // a tensor is somewhere else in some run
    kInvalid,     // the program is no valid IR: a mistake of the generator
  };
  Kind kind = Kind::kFalseAlarm;
  Line line = 0;
  std::string text;  // what was claimed, and what was seen
};

struct Judgement {
  std::vector<Violation> violations;
  // All choices were made, and every run is whole: a finding that no run confirms is false.
  bool is_exhaustive = true;
  size_t findings = 0;
  size_t failing = 0;       // instructions that fail in some run
  size_t found = 0;         // of them, those with a finding
  size_t known_places = 0;  // expressions of which all places are known
  bool is_too_large = false;
};

// Of many programs.
struct Totals {
  size_t programs = 0, exhaustive = 0, too_large = 0, violating = 0;
  size_t findings = 0, failing = 0, found = 0, known_places = 0;

  void add(const Judgement& judgement);
};

// `trace`, if given, takes the states of the function `main`.
Judgement judge(const SourceProgram& program,
                const std::function<void(const std::string&)>& trace = {});

// A program without most of what the violation does not need, with one of the same kind.
SourceProgram reduce(SourceProgram program, Violation::Kind kind);

// The program, and then the violations.
std::string report(const SourceProgram& program, const Judgement& judgement);

}  // namespace placecheck::oracle
