#include "analyzer/frontend/clang/compile_flags.h"

#include <algorithm>
#include <mutex>

#include "analyzer/discovery/discovery.h"
#include "analyzer/files/regular_file.h"
#include "analyzer/frontend/clang/build_definitions.h"
#include "analyzer/frontend/clang/database_flags.h"
#include "analyzer/frontend/clang/include_guess.h"
#include "analyzer/frontend/clang/project_layout.h"
#include "analyzer/frontend/clang/shims.h"
#include "analyzer/frontend/clang/system_paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace placecheck::frontend {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

using Args = std::vector<std::string>;

void add(Args& args, std::initializer_list<llvm::StringRef> more) {
  for (llvm::StringRef one : more) args.push_back(one.str());
}

void add_each(Args& args, llvm::StringRef flag, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) add(args, {flag, folder});
}

bool is_cuda(llvm::StringRef file, llvm::StringRef language) {
  if (!language.empty()) return language == "cu" || language == "cuda";
  const std::string extension = path::extension(file).lower();
  return extension == ".cu" || extension == ".cuh";
}

// `toolkit`: its folder, or "".
void add_cuda(Args& args, const std::string& toolkit) {
  add(args, {"-x", "cuda", "--cuda-host-only", "-nocudalib", "--no-cuda-version-check",
             "-Wno-unknown-cuda-version"});
  if (toolkit.empty()) {
    const std::string prelude = std::string(kShimRoot) + "/prelude/cuda_without_toolkit.h";
    return add(args, {"-nocudainc", "-include", prelude});
  }
  add(args, {"--cuda-path=" + toolkit, "-include", kCudaPrelude});
}

// The folder of the first libtorch that the include folders lead to, the one that holds torch.h;
// "" if there is none.
std::string torch_folder_in(const std::vector<std::string>& include_dirs) {
  for (const std::string& include_dir : include_dirs) {
    llvm::SmallString<256> folder(include_dir);
    path::append(folder, "torch");
    llvm::SmallString<256> header(folder);
    path::append(header, "torch.h");
    if (fs::exists(header)) return std::string(folder);
  }
  return "";
}

// Whether a libtorch refuses older standards: newer ones do so in all.h, which torch.h includes.
// `torch_folder` holds both.
bool refuses_cpp17(llvm::StringRef torch_folder) {
  llvm::SmallString<256> header(torch_folder);
  path::append(header, "all.h");
  const auto buffer = files::read_regular_file(header, files::kMaxSource);
  return buffer && (*buffer)->getBuffer().contains("__cplusplus < 202002L");
}

bool mentions(const Guess& guess, llvm::StringRef include) {
  return llvm::is_contained(guess.includes, include);
}

// Headers that no older standard has.
bool needs_cpp20(const Guess& guess) {
  constexpr llvm::StringRef kHeaders[] = {
      "barrier", "compare",   "concepts",        "coroutine", "format",     "latch",     "numbers",
      "ranges",  "semaphore", "source_location", "span",      "stop_token", "syncstream"};
  return llvm::any_of(
      kHeaders, [&](llvm::StringRef header) { return llvm::is_contained(guess.certain, header); });
}

bool mentions_below(const Guess& guess, std::initializer_list<llvm::StringRef> folders) {
  return llvm::any_of(guess.includes, [&](llvm::StringRef include) {
    return llvm::any_of(folders,
                        [&](llvm::StringRef folder) { return include.starts_with(folder); });
  });
}

bool mentions_torch(const Guess& guess) {
  return mentions_below(guess, {"torch/", "ATen/", "c10/"});
}

// Some stand-ins of other libraries are written in terms of libtorch.
bool reaches_torch(const Guess& guess) {
  return mentions_torch(guess) || mentions_below(guess, {"tvm/ffi/"});
}

// What torch's extension builder defines, and the build scripts of extensions, where nothing says
// otherwise.
void add_build_macros(const Guess& guess, bool is_guessed, Args& args) {
  constexpr llvm::StringRef kName = "TORCH_EXTENSION_NAME";
  bool is_named = mentions(guess, "torch/extension.h");
  for (const std::string& macro : guess.build_macros) {
    if (macro != kName && is_guessed) args.push_back("-D" + macro);
    is_named |= macro == kName;
  }
  if (is_named) args.push_back("-D" + kName.str() + "=extension");
  // The stable ABI declares what is CUDA's only to those who define this, as its guide says.
  if (is_guessed && mentions_below(guess, {"torch/csrc/stable/"})) args.push_back("-DUSE_CUDA");
  // The header declares nothing where this is not defined, as it is in builds with NCCL.
  constexpr llvm::StringRef kNccl = "torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp";
  if (mentions(guess, kNccl)) args.push_back("-DUSE_C10D_NCCL");
  // Then torch/torch.h is the header for extensions.
  if (is_named && !mentions(guess, "torch/extension.h") && mentions(guess, "torch/torch.h"))
    args.push_back("-DTORCH_API_INCLUDE_EXTENSION_H");
}

// What the project's build scripts define and the file asks about.
void add_definitions(const Guess& guess, const std::vector<Definition>& definitions, Args& args) {
  for (const Definition& each : definitions) {
    const bool is_given = llvm::is_contained(args, "-D" + each.name);
    const bool is_asked =
        each.name == kHalfOperators || std::ranges::binary_search(guess.conditions, each.name);
    if (is_given || !is_asked) continue;
    args.push_back("-D" + each.name + (each.value.empty() ? "" : "=" + each.value));
  }
}

bool may_need_torch(const std::vector<std::string>& files) {
  return llvm::any_of(files, [](const std::string& file) {
    discovery::Language language;
    return !discovery::language_of(file, language) || language != discovery::Language::kPython;
  });
}

}  // namespace

struct CompileFlags::State {
  State(FlagOptions given, const std::vector<std::string>& files)
      : options(std::move(given)),
        layout(options.named_paths.empty() ? files : options.named_paths),
        system(options.guesses ? find_system_paths(may_need_torch(files)) : SystemPaths{}),
        guesser(system, options.guesses) {
    if (!options.clang_headers.empty()) system.resource_dir = options.clang_headers;
    if (system.resource_dir.empty()) system.resource_dir = find_resource_dir();
  }

  FlagOptions options;
  ProjectLayout layout;
  SystemPaths system;
  IncludeGuesser guesser;
  llvm::StringMap<Database> databases;  // by project root, or "" for -p; filled by create only
  std::vector<std::string> notes;
  std::vector<std::string> roots;  // of all files named at the start, longest first

  std::mutex mutex;
  llvm::StringMap<std::string> root_by_folder;
  llvm::StringMap<unsigned> standard_by_folder;
  llvm::StringMap<bool> needs_cpp20_by_torch;
  llvm::StringMap<std::vector<Definition>> definitions_by_folder;
  llvm::StringMap<std::string> real_by_folder;  // "" of one that is not there

  std::string root_of(llvm::StringRef file);
  std::string real_path(llvm::StringRef file);
  unsigned standard_of(llvm::StringRef folder, llvm::StringRef root);
  bool torch_needs_cpp20(const CleanFlags& own);
  const std::vector<Definition>& definitions_of(llvm::StringRef folder, llvm::StringRef root);
  void load_databases(const std::vector<std::string>& files);
  void load_database(llvm::StringRef key, llvm::StringRef folder, bool asked_for);
  const DatabaseEntry* entry_of(llvm::StringRef file) const;
  CleanFlags own_flags(llvm::StringRef file, CompileCommand& command) const;
  const std::string& toolkit_of(const CleanFlags& own) const {
    return own.cuda.empty() ? system.cuda : own.cuda;
  }
  void add_language(llvm::StringRef file, const CleanFlags& own, const Guess& guess,
                    llvm::StringRef root, Args& args);
  void add_fallbacks(const CleanFlags& own, const Guess& guess, Args& args) const;
};

std::string CompileFlags::State::root_of(llvm::StringRef file) {
  if (!options.root.empty()) return options.root;
  const llvm::StringRef folder = path::parent_path(file);
  const std::lock_guard lock(mutex);
  const auto [known, added] = root_by_folder.try_emplace(folder);
  if (added) known->second = layout.root_of(file);
  return known->second;
}

// Empty if the file is not there. Each folder is resolved once: headers come in thousands.
std::string CompileFlags::State::real_path(llvm::StringRef file) {
  llvm::SmallString<256> real;
  if (fs::is_symlink_file(file)) return fs::real_path(file, real) ? "" : std::string(real);
  const llvm::StringRef folder = path::parent_path(file);
  {
    const std::lock_guard lock(mutex);
    const auto [known, added] = real_by_folder.try_emplace(folder);
    if (added && !fs::real_path(folder, real)) known->second = std::string(real);
    real = known->second;
  }
  if (!real.empty()) path::append(real, path::filename(file));
  return std::string(real);
}

unsigned CompileFlags::State::standard_of(llvm::StringRef folder, llvm::StringRef root) {
  const std::lock_guard lock(mutex);
  const auto [known, added] = standard_by_folder.try_emplace(folder);
  if (added) known->second = wanted_standard(folder, root);
  return known->second;
}

// An entry stays where it is, and is not written again.
const std::vector<Definition>& CompileFlags::State::definitions_of(llvm::StringRef folder,
                                                                   llvm::StringRef root) {
  const std::lock_guard lock(mutex);
  const auto [known, added] = definitions_by_folder.try_emplace(folder);
  if (added) known->second = build_definitions(folder, root);
  return known->second;
}

void CompileFlags::State::load_database(llvm::StringRef key, llvm::StringRef folder,
                                        bool asked_for) {
  if (databases.count(key)) return;
  const std::string file = database_in(folder);
  if (!file.empty()) {
    databases.try_emplace(key, Database::load(file, notes));
  } else if (asked_for) {
    notes.push_back("no compile_commands.json in '" + folder.str() +
                    "', which -p names; flags are guessed instead");
  }
}

void CompileFlags::State::load_databases(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const std::string root = root_of(file);
    if (!llvm::is_contained(roots, root)) roots.push_back(root);
    if (options.flags_given || !options.database_dir.empty()) continue;
    for (llvm::StringRef folder = path::parent_path(file); is_below(folder, root);
         folder = path::parent_path(folder)) {
      load_database(folder, folder, /*asked_for=*/false);
      if (folder == "/") break;
    }
  }
  if (!options.flags_given && !options.database_dir.empty()) {
    load_database("", options.database_dir, /*asked_for=*/true);
  }
  llvm::sort(roots, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
}

const DatabaseEntry* CompileFlags::State::entry_of(llvm::StringRef file) const {
  if (const auto asked = databases.find(""); asked != databases.end()) {
    return asked->second.find(file);
  }
  for (llvm::StringRef folder = path::parent_path(file); !folder.empty();
       folder = path::parent_path(folder)) {
    const auto database = databases.find(folder);
    if (database == databases.end()) continue;
    if (const DatabaseEntry* entry = database->second.find(file)) return entry;
  }
  return nullptr;
}

// What the user or a database says about the file; nothing where all is to be guessed.
CleanFlags CompileFlags::State::own_flags(llvm::StringRef file, CompileCommand& command) const {
  command.directory = path::parent_path(file).str();
  if (options.flags_given) {
    command.origin = FlagOrigin::kGiven;
    return clean_flags(options.given_flags, options.working_directory);
  }
  if (const DatabaseEntry* entry = entry_of(file)) {
    command.origin = FlagOrigin::kDatabase;
    command.directory = entry->directory;
    return clean_flags(entry->args, entry->directory);
  }
  return {};
}

// Asked of every file, so each libtorch is read once.
bool CompileFlags::State::torch_needs_cpp20(const CleanFlags& own) {
  std::string folder = torch_folder_in(own.include_dirs);
  if (folder.empty()) folder = torch_folder_in(system.torch);
  if (folder.empty()) return false;
  const std::lock_guard lock(mutex);
  const auto [known, added] = needs_cpp20_by_torch.try_emplace(folder);
  if (added) known->second = refuses_cpp17(folder);
  return known->second;
}

void CompileFlags::State::add_language(llvm::StringRef file, const CleanFlags& own,
                                       const Guess& guess, llvm::StringRef root, Args& args) {
  if (is_cuda(file, own.language))
    add_cuda(args, toolkit_of(own));
  else
    add(args, {"-x", "c++"});
  if (own.has_standard || !options.guesses) return;
  const bool needs_20 = needs_cpp20(guess) || (reaches_torch(guess) && torch_needs_cpp20(own));
  const unsigned standard =
      std::max(standard_of(path::parent_path(file), root), needs_20 ? 20U : 0U);
  args.push_back("-std=c++" + std::to_string(standard));
}

void CompileFlags::State::add_fallbacks(const CleanFlags& own, const Guess& guess,
                                        Args& args) const {
  // No second libtorch may mix in.
  if (torch_folder_in(own.include_dirs).empty()) add_each(args, "-isystem", system.torch);
  add_each(args, "-isystem", system.cuda_includes);
  add_each(args, "-isystem", system.libraries);
  add_each(args, "-idirafter", guess.roots);
  // Last of all: a real header always wins over its stand-in.
  add(args, {"-idirafter", std::string(kShimRoot) + "/include"});
  if (mentions_torch(guess)) add(args, {"-include", kStandardPrelude});
  if (mentions(guess, "variant")) add(args, {"-include", kVisitPrelude});
}

CompileFlags::CompileFlags(std::unique_ptr<State> state) : state_(std::move(state)) {}
CompileFlags::CompileFlags(CompileFlags&&) noexcept = default;
CompileFlags& CompileFlags::operator=(CompileFlags&&) noexcept = default;
CompileFlags::~CompileFlags() = default;

CompileFlags CompileFlags::create(FlagOptions options, const std::vector<std::string>& files) {
  auto state = std::make_unique<State>(std::move(options), files);
  state->load_databases(files);
  return CompileFlags(std::move(state));
}

CompileCommand CompileFlags::for_file(std::string_view file) const {
  CompileCommand command;
  command.file = file;
  const std::string root = state_->root_of(command.file);
  const CleanFlags own = state_->own_flags(command.file, command);
  // The configuration is one file; it does not lead to others.
  const CleanFlags extra = clean_flags(state_->options.extra_flags, root, ResponseFiles::kDropped);
  Args known = own.include_dirs;
  known.insert(known.end(), extra.include_dirs.begin(), extra.include_dirs.end());
  const Guess guess = state_->guesser.guess(command.file, root, known);
  if (!guess.index_complete) {
    command.notes.push_back("the project '" + root + "' is too large to search for all headers");
  }
  Args& args = command.args;
  // Warnings are not ours to say, nor those that Clang alone takes for errors, and an error limit
  // would cut the rest of the file off.
  add(args, {"clang++", "-fsyntax-only", "-w", "-Wno-everything", "-ferror-limit=0",
             "-resource-dir", state_->system.resource_dir});
  state_->add_language(command.file, own, guess, root, args);
  args.insert(args.end(), own.args.begin(), own.args.end());
  args.insert(args.end(), extra.args.begin(), extra.args.end());
  state_->add_fallbacks(own, guess, args);
  if (state_->options.guesses)
    add_build_macros(guess, command.origin == FlagOrigin::kGuessed, args);
  if (state_->options.guesses && command.origin == FlagOrigin::kGuessed)
    add_definitions(guess, state_->definitions_of(path::parent_path(command.file), root), args);
  add(args, {"--", command.file});
  if (state_->toolkit_of(own).empty() && is_cuda(command.file, own.language)) {
    command.notes.push_back("no CUDA toolkit found; set CUDA_HOME to have CUDA calls understood");
  }
  return command;
}

bool CompileFlags::is_external_header(std::string_view file) const {
  const auto root_above = [&](llvm::StringRef one) -> llvm::StringRef {
    for (const std::string& root : state_->roots) {
      if (is_below(one, root)) return root;
    }
    return "";
  };
  llvm::SmallString<256> plain{llvm::StringRef(file)};
  path::remove_dots(plain, /*remove_dot_dot=*/true);
  llvm::StringRef root = root_above(plain);
  if (root.empty()) {
    // The project may have been named through a link.
    plain = state_->real_path(plain);
    root = root_above(plain);
    if (root.empty()) return true;
  }
  return state_->layout.is_vendored(plain, root);
}

std::string CompileFlags::project_root(std::string_view file) const {
  return state_->root_of(llvm::StringRef(file));
}

const std::string& CompileFlags::fixed_root() const { return state_->options.root; }

const std::vector<std::string>& CompileFlags::notes() const { return state_->notes; }

}  // namespace placecheck::frontend
