#include "analyzer/frontend/clang/database_flags.h"

#include "analyzer/files/nesting.h"
#include "analyzer/files/regular_file.h"
#include "analyzer/files/snapshot.h"
#include "analyzer/frontend/clang/nvcc_flags.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace placecheck::frontend {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
namespace options = clang::options;

std::string absolute(llvm::StringRef file, llvm::StringRef directory) {
  llvm::SmallString<256> full;
  if (!path::is_absolute(file)) full = directory;
  path::append(full, file);
  path::remove_dots(full, /*remove_dot_dot=*/true);
  return full.str().str();
}

std::string real(llvm::StringRef file) {
  llvm::SmallString<256> full;
  return fs::real_path(file, full) ? file.str() : full.str().str();
}

// A command without the program that only passes it on.
void drop_wrapper(std::vector<std::string>& args) {
  constexpr llvm::StringRef kWrappers[] = {"distcc", "ccache", "sccache", "gomacc", "rewrapper"};
  while (args.size() > 1 && llvm::is_contained(kWrappers, path::stem(args[0])) &&
         !llvm::StringRef(args[1]).starts_with("-"))
    args.erase(args.begin());
}

std::vector<std::string> command_of(const llvm::json::Object& entry) {
  std::vector<std::string> args;
  if (const llvm::json::Array* list = entry.getArray("arguments")) {
    for (const llvm::json::Value& each : *list) {
      if (auto text = each.getAsString()) args.push_back(text->str());
    }
  } else if (auto command = entry.getString("command")) {
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char*, 64> words;
    llvm::cl::TokenizeGNUCommandLine(*command, saver, words);
    args.assign(words.begin(), words.end());
  }
  drop_wrapper(args);
  return args;
}

struct Entry {
  llvm::StringRef file;
  llvm::StringRef directory;
  std::vector<std::string> args;
};

// The entries of a database, or what is wrong with it. They point into `value`.
llvm::Expected<std::vector<Entry>> entries_of(const llvm::json::Value& value) {
  const llvm::json::Array* list = value.getAsArray();
  if (!list) return llvm::createStringError("not a list of compile commands");
  std::vector<Entry> entries;
  for (const llvm::json::Value& each : *list) {
    const llvm::json::Object* object = each.getAsObject();
    auto file = object ? object->getString("file") : std::nullopt;
    auto directory = object ? object->getString("directory") : std::nullopt;
    if (!file || !directory)
      return llvm::createStringError("an entry lacks \"file\" or \"directory\"");
    entries.push_back({*file, *directory, command_of(*object)});
    if (entries.back().args.empty())
      return llvm::createStringError("an entry lacks \"command\" or \"arguments\"");
  }
  return entries;
}

llvm::Expected<llvm::json::Value> parse_database(const std::string& file) {
  auto buffer = files::read_regular_file(file, files::kMaxDatabase);
  if (!buffer) {
    return llvm::createStringError("cannot be read: " +
                                   files::why_unreadable(buffer.getError(), files::kMaxDatabase));
  }
  llvm::StringRef text = (*buffer)->getBuffer();
  if (files::json_nesting(text) > files::kMaxNesting)
    return llvm::createStringError("nested more than " + llvm::Twine(files::kMaxNesting) + " deep");
  auto value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError("not valid JSON: " + llvm::toString(value.takeError()));
  return value;
}

// The order of include folders matters, whatever flag names them.
bool is_include_dir(unsigned id) {
  return id == options::OPT_I || id == options::OPT_isystem || id == options::OPT_iquote ||
         id == options::OPT_idirafter || id == options::OPT_cxx_isystem;
}

bool names_a_file(unsigned id) { return id == options::OPT_include || id == options::OPT_imacros; }

// Only what shapes the syntax tree is worth keeping: the list is of what does.
bool is_kept(const llvm::opt::Option& option) {
  switch (option.getID()) {
    case options::OPT_D:
    case options::OPT_U:
    case options::OPT_std_EQ:
    case options::OPT_nostdinc:
    case options::OPT_nostdincxx:
    case options::OPT_nostdlibinc:
    case options::OPT_pthread:
    case options::OPT_ansi:
    case options::OPT_target:
    case options::OPT_m32:
    case options::OPT_m64:
      return true;
    default:
      return false;
  }
}

// Language switches known to Clang; gcc's own are parsed by it but mean nothing.
bool is_kept_switch(const llvm::opt::Option& option, llvm::StringRef spelled) {
  if (option.matches(options::OPT_clang_ignored_f_Group) ||
      option.matches(options::OPT_clang_ignored_m_Group) ||
      option.matches(options::OPT_clang_ignored_gcc_optimization_f_Group)) {
    return false;
  }
  for (llvm::StringRef prefix :
       {"-fsanitize", "-fprofile",       "-fcoverage",    "-flto",
        "-fmodule",   "-fplugin",        "-fpass-plugin", "-fdiagnostics",
        "-fcolor",    "-fmax-errors",    "-fdebug",       "-fsyntax-only",
        "-fxray",     "-ftime",          "-fcuda",        "-fembed",
        "-fthin",     "-fsave",          "-fuse-ld",      "-march",
        "-mcpu",      "-mtune",          "-mllvm",        "-fbuiltin-module",
        "-fprebuilt", "-finput-charset", "-ferror-limit", "-ftrivial-auto-var-init"}) {
    if (spelled.starts_with(prefix)) return false;
  }
  return option.matches(options::OPT_f_Group) || option.matches(options::OPT_m_Group);
}

void take_arg(const llvm::opt::ArgList& list, const llvm::opt::Arg& arg, llvm::StringRef directory,
              CleanFlags& clean) {
  const llvm::opt::Option& option = arg.getOption().getUnaliasedOption();
  const unsigned id = option.getID();
  if (is_include_dir(id)) {
    std::string folder = absolute(arg.getValue(), directory);
    if (!fs::is_directory(folder)) return;
    clean.args.push_back(id == options::OPT_I ? "-I" : option.getPrefixedName().str());
    clean.args.push_back(folder);
    clean.include_dirs.push_back(std::move(folder));
  } else if (names_a_file(id)) {
    // A precompiled header that was never built must not fail the whole file.
    std::string file = absolute(arg.getValue(), directory);
    if (!files::is_regular_file(file)) return;
    clean.args.insert(clean.args.end(), {option.getPrefixedName().str(), std::move(file)});
  } else if (id == options::OPT_x) {
    clean.language = arg.getValue();
  } else if (id == options::OPT__sysroot_EQ || id == options::OPT_isysroot) {
    std::string folder = absolute(arg.getValue(), directory);
    if (fs::is_directory(folder)) clean.args.push_back("--sysroot=" + folder);
  } else if (id == options::OPT_cuda_path_EQ) {
    std::string folder = absolute(arg.getValue(), directory);
    if (fs::is_directory(folder)) clean.cuda = std::move(folder);
  } else if (is_kept(option) || is_kept_switch(option, arg.getSpelling())) {
    clean.has_standard |= id == options::OPT_std_EQ;
    llvm::opt::ArgStringList rendered;
    arg.render(list, rendered);
    clean.args.insert(clean.args.end(), rendered.begin(), rendered.end());
  }
}

std::vector<std::string> with_response_files_opened(const std::vector<std::string>& args,
                                                    llvm::StringRef directory) {
  std::vector<std::string> marked;
  for (size_t i = 0; i < args.size(); ++i) {
    // nvcc's way of saying @file, which CMake uses for its include folders.
    const bool nvcc_file = args[i] == "--options-file" || args[i] == "-optf";
    marked.push_back(nvcc_file && i + 1 < args.size() ? "@" + args[++i] : args[i]);
  }
  llvm::SmallVector<const char*, 64> pointers;
  for (const std::string& arg : marked) pointers.push_back(arg.c_str());
  llvm::BumpPtrAllocator allocator;
  llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
  context.setCurrentDir(directory);
  auto disk = files::make_snapshot();
  context.setVFS(disk.get());
  // What cannot be opened stays in place as "@file" and is dropped with the inputs.
  llvm::consumeError(context.expandResponseFiles(pointers));
  return {pointers.begin(), pointers.end()};
}

}  // namespace

Database Database::load(const std::string& file, std::vector<std::string>& notes) {
  Database database;
  auto value = parse_database(file);
  auto entries = value ? entries_of(*value) : llvm::Expected<std::vector<Entry>>(value.takeError());
  if (!entries) {
    notes.push_back(file + ": " + llvm::toString(entries.takeError()) +
                    "; flags are guessed instead");
    return database;
  }
  size_t missing = 0;
  std::string first_missing;
  for (Entry& entry : *entries) {
    const std::string directory = absolute(entry.directory, path::parent_path(file));
    const std::string source = absolute(entry.file, directory);
    if (!fs::exists(source)) {
      if (missing++ == 0) first_missing = source;
      continue;
    }
    database.entries_.try_emplace(real(source), DatabaseEntry{directory, std::move(entry.args)});
  }
  if (missing > 0) {
    notes.push_back(
        file + ": " + std::to_string(missing) +
        (missing == 1 ? " entry names a file that is" : " entries name files that are") +
        " not there, first: " + first_missing);
  }
  return database;
}

const DatabaseEntry* Database::find(llvm::StringRef file) const {
  const auto entry = entries_.find(real(file));
  return entry == entries_.end() ? nullptr : &entry->second;
}

std::string database_in(llvm::StringRef folder) {
  for (llvm::StringRef sub : {"", "build"}) {
    llvm::SmallString<256> file(folder);
    path::append(file, sub, "compile_commands.json");
    if (fs::exists(file)) return file.str().str();
  }
  return "";
}

CleanFlags clean_flags(const std::vector<std::string>& args, llvm::StringRef directory,
                       ResponseFiles response_files) {
  const std::vector<std::string> translated = translate_nvcc_flags(
      response_files == ResponseFiles::kOpened ? with_response_files_opened(args, directory)
                                               : args);
  std::vector<const char*> pointers;
  for (const std::string& arg : translated) pointers.push_back(arg.c_str());
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  const llvm::opt::InputArgList list = clang::getDriverOptTable().ParseArgs(
      pointers, missing_index, missing_count, llvm::opt::Visibility(options::ClangOption));
  CleanFlags clean;
  for (const llvm::opt::Arg* arg : list) take_arg(list, *arg, directory, clean);
  return clean;
}

}  // namespace placecheck::frontend
