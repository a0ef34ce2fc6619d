#include "analyzer/why.h"

#include <algorithm>

#include "analyzer/discovery/discovery.h"
#include "analyzer/findings/json_text.h"
#include "analyzer/findings/report.h"
#include "analyzer/frontend/python/lower.h"
#include "analyzer/lowering.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck {
namespace {

const char* origin_text(frontend::FlagOrigin origin) {
  switch (origin) {
    case frontend::FlagOrigin::kDatabase:
      return "from the compilation database";
    case frontend::FlagOrigin::kGuessed:
      return "guessed, since there is no compilation database";
    case frontend::FlagOrigin::kGiven:
      return "given behind --";
  }
  return "";
}

std::string quoted(const std::string& argument) {
  if (argument.find_first_of(" '\"\\$&|;<>()") == std::string::npos) return argument;
  std::string text = "'";
  for (char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

void write_command(const frontend::CompileCommand& command, llvm::raw_ostream& out) {
  out << "  flags: " << origin_text(command.origin) << '\n';
  for (const std::string& note : command.notes)
    out << "  note: " << findings::clean_text(note) << '\n';
  out << "  command, in " << findings::clean_text(command.directory) << ":\n   ";
  for (const std::string& argument : command.args)
    out << ' ' << findings::clean_text(quoted(argument));
  out << '\n';
}

void write_errors(const frontend::LowerResult& result, llvm::raw_ostream& out) {
  if (result.errors == 0) {
    out << "  parsed without errors\n";
    return;
  }
  out << "  did not parse (" << result.errors << (result.errors == 1 ? " error" : " errors")
      << "):\n";
  for (const std::string& message : result.messages)
    out << "    " << findings::clean_text(message) << '\n';
  if (result.errors > result.messages.size())
    out << "    and " << result.errors - result.messages.size() << " more\n";
}

void write_functions(const ir::Unit& unit, llvm::raw_ostream& out) {
  auto is_partial = [](const ir::Function& each) { return each.is_partial; };
  auto partial = std::count_if(unit.functions.begin(), unit.functions.end(), is_partial);
  out << "  functions: " << unit.functions.size() << ", of which " << partial
      << " are known only in part" << (partial == 0 ? "\n" : ":\n");
  for (const ir::Function& each : unit.functions) {
    if (!each.is_partial) continue;
    out << "    " << findings::clean_text(each.name) << ", line " << each.range.line << '\n';
  }
}

}  // namespace

bool explain_file(const std::string& path, const frontend::CompileFlags& flags,
                  const std::string& root, const JobLimits& limits, llvm::raw_ostream& out) {
  discovery::Language language;
  bool is_python =
      discovery::language_of(path, language) && language == discovery::Language::kPython;
  frontend::CompileCommand command;
  if (is_python)
    command.directory = llvm::sys::path::parent_path(path).str();
  else
    command = flags.for_file(path);
  out << findings::clean_text(findings::relative_path(path, root)) << '\n';
  if (!is_python) write_command(command, out);
  bool is_understood = false;
  Jobs jobs;
  jobs.count = 1;
  jobs.work = [&](size_t) {
    cache::FileLog log;
    frontend::LowerInput input = lower_input(path, flags, command, log);
    frontend::LowerResult result =
        is_python ? frontend::python::lower_file(input) : frontend::lower_file(input);
    std::string text(1, result.understanding == frontend::Understanding::kFull);
    llvm::raw_string_ostream stream(text);
    write_errors(result, stream);
    write_functions(result.unit, stream);
    return JobOutput{std::move(text), false};
  };
  jobs.done = [&](size_t, const JobResult& result) {
    if (result.end != JobEnd::kDone) {
      out << "  did not parse: " << why_lost(result, limits) << '\n';
      return;
    }
    is_understood = result.bytes[0] != 0;
    out << llvm::StringRef(result.bytes).drop_front();
  };
  run_jobs(jobs, 1, limits);
  return is_understood;
}

}  // namespace placecheck
