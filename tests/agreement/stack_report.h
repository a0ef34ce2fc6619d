// What a run of a program on virtual devices reports, and the lines that it speaks of.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace placecheck::agreement {

// One thing that went wrong in a run.
struct Event {
  std::string rule;  // "error" where no rule speaks of it
  std::string text;
  std::vector<std::string> places;  // the program's lines on the stack, innermost first
  bool is_effect = false;           // of the rule, as the program itself tells
};

// Events whose places are addresses in `executable` still: "0x1c3a9".
std::vector<Event> read_report(const std::filesystem::path& file, const std::string& executable);

// The lines of all `addresses` at once, since reading the debug information takes longest:
// "/.../a.cc:12 (discriminator 3)". `file` is written for it.
std::map<std::string, std::string> places_of(const std::set<std::string>& addresses,
                                             const std::string& executable,
                                             const std::filesystem::path& file);

// What a command prints.
std::string output_of(const std::string& command);
std::vector<std::string> lines_of(const std::string& text);

}  // namespace placecheck::agreement
