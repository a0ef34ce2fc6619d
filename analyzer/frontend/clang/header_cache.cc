#include "analyzer/frontend/clang/header_cache.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "analyzer/frontend/clang/header_build.h"
#include "analyzer/frontend/clang/header_info.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::frontend {
namespace {

namespace path = llvm::sys::path;

constexpr char kInfoKind[] = "header-info";
constexpr char kBytesKind[] = "headers";
constexpr char kWordsKind[] = "header-words";
constexpr char kWantedKind[] = "header-wanted";
constexpr char kUnfit[] = "unfit";  // the text of an info whose header cannot be shared

// Each of these holds nearly all of libtorch.
constexpr llvm::StringRef kWholeTorch[] = {"torch/torch.h", "torch/extension.h", "torch/script.h"};
// And these what is left of it; a file with one of the above has them too.
constexpr llvm::StringRef kMostOfTorch[] = {"torch/all.h", "torch/nn.h", "ATen/ATen.h"};

// A header costs as much as two plain parses, and saves nearly all of one each time.
constexpr unsigned kWantsOfLoneFile = 2;
// Over the smaller header the rest of a combination is parsed in a fifth of a second.
constexpr unsigned kWantsOfCombination = 16;

bool is_of_torch(llvm::StringRef header) {
  return header.starts_with("torch/") || header.starts_with("ATen/");
}

// The CUDA Toolkit's, beyond what every CUDA file has.
bool is_of_toolkit(llvm::StringRef header) {
  constexpr llvm::StringRef kLarge[] = {
      "cooperative_groups.h", "cublasLt.h", "cublas_v2.h", "cuda_bf16.h",
      "cuda_fp16.h",          "cuda_fp8.h", "cufft.h",     "curand_kernel.h",
      "cusolverDn.h",         "cusparse.h", "mma.h"};
  return llvm::is_contained(kLarge, header);
}

bool is_large(llvm::StringRef header) { return is_of_torch(header) || is_of_toolkit(header); }

bool is_cuda(const std::vector<std::string>& arguments) {
  auto at = std::find(arguments.begin(), arguments.end(), "cuda");
  return at != arguments.end() && at != arguments.begin() && *(at - 1) == "-x";
}

// A command line taken apart into what all projects share and the project's own folders.
struct Command {
  std::vector<std::string> shared;  // without the file
  IncludeFolders all;
  IncludeFolders own;
  bool is_absolute = true;
};

std::vector<std::string>* folders_of(llvm::StringRef flag, IncludeFolders& folders) {
  if (flag == "-iquote") return &folders.quoted;
  if (flag == "-I" || flag == "-isystem") return &folders.early;
  return flag == "-idirafter" ? &folders.late : nullptr;
}

Command take_apart(const LowerInput& input) {
  Command command;
  for (size_t i = 0; i + 1 < input.arguments.size(); ++i) {
    std::string flag = input.arguments[i];
    std::string folder;
    bool is_joined = llvm::StringRef(flag).starts_with("-I") && flag.size() > 2;
    if (is_joined) {
      folder = flag.substr(2);
      flag = "-I";
    } else if (folders_of(flag, command.all)) {
      folder = input.arguments[++i];
    }
    std::vector<std::string>* all = folders_of(flag, command.all);
    if (!all) {
      command.shared.push_back(flag);
      continue;
    }
    command.is_absolute &= path::is_absolute(folder);
    all->push_back(folder);
    if (input.is_external(folder + "/_")) {
      command.shared.insert(command.shared.end(), {flag, folder});
    } else {
      folders_of(flag, command.own)->push_back(folder);
    }
  }
  return command;
}

// What a file asks of the cache.
struct Request {
  Command command;
  IncludeScan scan;
};

// The includes of a header to share, and how often it must be wanted before it is built.
struct Candidate {
  std::string text;
  unsigned wants = 1;
};

std::string includes(llvm::ArrayRef<llvm::StringRef> names) {
  std::string text;
  for (llvm::StringRef name : names) text += ("#include <" + name + ">\n").str();
  return text;
}

std::vector<llvm::StringRef> among(const IncludeScan& scan, llvm::ArrayRef<llvm::StringRef> names) {
  std::vector<llvm::StringRef> present;
  for (llvm::StringRef name : names)
    if (scan.headers.count(name.str())) present.push_back(name);
  return present;
}

// Best first; see header_cache.h for the choice.
std::vector<Candidate> candidates(const IncludeScan& scan, bool is_cuda) {
  std::vector<llvm::StringRef> whole = among(scan, kWholeTorch);
  if (whole.size() > 1) return {{includes(whole), kWantsOfCombination}, {includes(whole[0]), 1}};
  if (!whole.empty()) return {{includes(whole), 1}};
  std::vector<llvm::StringRef> most = among(scan, kMostOfTorch);
  if (!most.empty()) return {{includes(most[0]), 1}};
  std::vector<llvm::StringRef> torch, toolkit;
  for (const auto& [name, path] : scan.headers)
    (is_of_torch(name) ? torch : toolkit).push_back(name);
  const std::vector<llvm::StringRef>& all = torch.empty() ? toolkit : torch;
  if (all.empty() && !is_cuda) return {};
  return {{includes(all), all.size() > 1 ? kWantsOfLoneFile + 1 : 1}};
}

std::string key_of(const Command& command, const std::string& text) {
  std::string all = text;
  for (const std::string& each : command.shared) all += each + '\0';
  for (const std::string& each : include_environment()) all += each + '\0';
  return cache::digest(all);
}

// Whether some file below `folder` would answer one of the includes.
bool answers_any(llvm::StringRef folder, const std::vector<std::string>& includes,
                 cache::FileFacts& facts) {
  const llvm::StringSet<>& names = facts.names_in(folder);
  if (names.empty()) return false;
  return llvm::any_of(includes, [&](llvm::StringRef include) {
    if (!names.contains(include.split('/').first)) return false;
    llvm::SmallString<256> file(folder);
    path::append(file, include);
    // A folder of that name, such as `functional`, answers nothing.
    return facts.is_file(file);
  });
}

bool is_neutral(const HeaderInfo& info, const IncludeFolders& own, cache::FileFacts& facts) {
  for (const auto* folders : {&own.quoted, &own.early})
    for (const std::string& folder : *folders)
      if (answers_any(folder, info.found, facts) || answers_any(folder, info.missing, facts))
        return false;
  return llvm::none_of(own.late, [&](const std::string& folder) {
    return answers_any(folder, info.missing, facts);
  });
}

// Also false where one of its files is now the project's own: that depends on what was named.
bool is_unchanged(const HeaderInfo& info, const IsExternal& is_external, cache::FileFacts& facts) {
  for (const auto& [file, stamp] : info.files)
    if (!facts.matches(file, stamp) || !is_external(file)) return false;
  return llvm::none_of(info.absent, [&](const std::string& file) { return facts.is_file(file); });
}

bool same_roots(const IncludeScan& scan, const HeaderInfo& info) {
  for (const auto& [name, file] : scan.headers) {
    auto root = info.roots.find(name);
    if (root != info.roots.end() && !file.empty() && root->second != file) return false;
  }
  return true;
}

bool has(const SharedHeader& header, uint64_t hash) {
  return std::binary_search(header.identifiers.begin(), header.identifiers.end(), hash);
}

// Whether what the project does to macros before the header could change it, or the other way
// round, since over a shared header the project's lines come later.
bool touches(const IncludeScan& scan, const Command& command, const SharedHeader& header) {
  auto is_given = [&](const std::string& macro) {
    return llvm::any_of(command.shared, [&](llvm::StringRef argument) {
      return argument == macro || argument.starts_with("-D" + macro) ||
             argument.starts_with(macro + "=");
    });
  };
  return llvm::any_of(
             scan.macros,
             [&](const std::string& macro) { return has(header, identifier_hash(macro)); }) ||
         llvm::any_of(scan.undefined, [&](const std::string& macro) {
           return is_given(macro) || has(header, macro_hash(macro));
         });
}

// One file of which the bytes are in memory. LLVM's own such file system names a file by a hash of
// its content, for which all of a large header would be read each time.
class MountedFile : public llvm::vfs::ProxyFileSystem {
 public:
  MountedFile(std::string path, llvm::StringRef bytes,
              llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base)
      : ProxyFileSystem(std::move(base)), path_(std::move(path)), bytes_(bytes) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    return is_it(path) ? status_as(path) : ProxyFileSystem::status(path);
  }
  bool exists(const llvm::Twine& path) override {
    return is_it(path) || ProxyFileSystem::exists(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine& path) override {
    if (!is_it(path)) return ProxyFileSystem::openFileForRead(path);
    return std::unique_ptr<llvm::vfs::File>(new Opened(status_as(path), bytes_));
  }

 private:
  class Opened : public llvm::vfs::File {
   public:
    Opened(llvm::vfs::Status status, llvm::StringRef bytes)
        : status_(std::move(status)), bytes_(bytes) {}
    llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t,
                                                                 bool has_end, bool) override {
      return llvm::MemoryBuffer::getMemBuffer(bytes_, name.str(), has_end);
    }
    std::error_code close() override { return {}; }

   private:
    llvm::vfs::Status status_;
    llvm::StringRef bytes_;
  };

  bool is_it(const llvm::Twine& path) const {
    llvm::SmallString<128> text;
    return path.toStringRef(text) == path_;
  }
  llvm::vfs::Status status_as(const llvm::Twine& path) const {
    // No device of the system has this number.
    const llvm::sys::fs::UniqueID id(~uint64_t{0}, llvm::xxh3_64bits(llvm::StringRef(path_)));
    return {path,
            id,
            llvm::sys::TimePoint<>(),
            0,
            0,
            bytes_.size(),
            llvm::sys::fs::file_type::regular_file,
            llvm::sys::fs::all_read};
  }

  std::string path_;
  llvm::StringRef bytes_;
};

std::string bytes_of(const std::vector<uint64_t>& words) {
  return std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint64_t));
}

std::vector<uint64_t> words_of(llvm::StringRef bytes) {
  std::vector<uint64_t> words(bytes.size() / sizeof(uint64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint64_t));
  return words;
}

}  // namespace

std::string SharedHeader::path() const { return "/__placecheck/headers/" + info.key + ".pch"; }

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> SharedHeader::mounted(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base) const {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  std::string source = "/__placecheck/headers/" + info.key + ".cc";
  memory->addFile(source, 0, llvm::MemoryBuffer::getMemBuffer(info.text, source));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(base));
  overlay->pushOverlay(std::move(memory));
  return llvm::makeIntrusiveRefCnt<MountedFile>(path(), bytes(), std::move(overlay));
}

struct HeaderCache::State {
  State(cache::Store& store, cache::FileFacts& facts, bool is_eager)
      : store(store), facts(facts), is_eager(is_eager) {}

  // One key's header; filled in once, by whoever asks first.
  struct Slot {
    std::mutex mutex;
    bool is_info_known = false;
    std::optional<HeaderInfo> info;  // of what is in the store and still true
    bool is_header_known = false;
    std::shared_ptr<const SharedHeader> header;
  };

  Slot& slot(const std::string& key) {
    std::lock_guard lock(mutex);
    auto& slot = slots[key];
    if (!slot) slot = std::make_unique<Slot>();
    return *slot;
  }

  // None where no header can be shared.
  std::optional<Request> request(const LowerInput& input) const;
  const std::optional<HeaderInfo>& info(Slot& slot, const std::string& key,
                                        const IsExternal& is_external);
  std::shared_ptr<const SharedHeader> header(const LowerInput& input, const Command& command,
                                             const std::string& key, const Candidate& wanted);
  std::shared_ptr<const SharedHeader> load(Slot& slot, const std::string& key,
                                           const IsExternal& is_external);
  std::shared_ptr<const SharedHeader> build(Slot& slot, const LowerInput& input,
                                            const Command& command, HeaderInfo info);
  void keep(SharedHeader& header);
  bool is_wanted_enough(const std::string& key, unsigned wants);

  cache::Store& store;
  cache::FileFacts& facts;
  bool is_eager;
  std::atomic<unsigned> built = 0;
  std::mutex mutex;
  llvm::StringMap<std::unique_ptr<Slot>> slots;
};

// Call with the slot's mutex held.
const std::optional<HeaderInfo>& HeaderCache::State::info(Slot& slot, const std::string& key,
                                                          const IsExternal& is_external) {
  if (slot.is_info_known) return slot.info;
  slot.is_info_known = true;
  if (auto entry = store.read(kInfoKind, key)) {
    slot.info = parse_header_info(entry->bytes());
    if (slot.info && (slot.info->key != key || !is_unchanged(*slot.info, is_external, facts)))
      slot.info.reset();
  }
  return slot.info;
}

std::shared_ptr<const SharedHeader> HeaderCache::State::load(Slot& slot, const std::string& key,
                                                             const IsExternal& is_external) {
  const std::optional<HeaderInfo>& known = info(slot, key, is_external);
  if (!known || known->text == kUnfit) return nullptr;
  auto header = std::make_shared<SharedHeader>();
  // Under the id, so that an info never goes with the bytes of another build.
  header->entry = store.read(kBytesKind, known->id);
  auto words = store.read(kWordsKind, known->id);
  if (!header->entry || !words) return nullptr;
  header->info = *known;
  header->identifiers = words_of(words->bytes());
  return header;
}

bool HeaderCache::State::is_wanted_enough(const std::string& key, unsigned wants) {
  if (!is_eager) wants = std::max(wants, kWantsOfLoneFile);
  if (wants <= 1) return true;
  unsigned so_far = 0;
  if (auto entry = store.read(kWantedKind, key)) (void)llvm::to_integer(entry->bytes(), so_far);
  (void)store.write(kWantedKind, key, std::to_string(++so_far));
  return so_far >= wants;
}

// The info goes last: it vouches for the others.
void HeaderCache::State::keep(SharedHeader& header) {
  bool is_kept = store.write(kBytesKind, header.info.id, header.bytes()) &&
                 store.write(kWordsKind, header.info.id, bytes_of(header.identifiers)) &&
                 store.write(kInfoKind, header.info.key, print_header_info(header.info));
  if (!is_kept) return;
  // Mapped from the disk the bytes cost no memory of their own.
  header.entry = store.read(kBytesKind, header.info.id);
  if (header.entry) header.fresh.reset();
}

std::shared_ptr<const SharedHeader> HeaderCache::State::build(Slot& slot, const LowerInput& input,
                                                              const Command& command,
                                                              HeaderInfo info) {
  LowerInput like = input;
  like.arguments = command.shared;
  like.arguments.push_back(input.path);
  SharedHeader made = build_header(like, std::move(info));
  if (!made.fresh) {
    made.info.text = kUnfit;  // until a file that was read changes
    (void)store.write(kInfoKind, made.info.key, print_header_info(made.info));
    slot.info = std::move(made.info);
    return nullptr;
  }
  ++built;
  made.info.id = cache::digest(print_header_info(made.info));
  auto header = std::make_shared<SharedHeader>(std::move(made));
  keep(*header);
  slot.info = header->info;
  return header;
}

std::shared_ptr<const SharedHeader> HeaderCache::State::header(const LowerInput& input,
                                                               const Command& command,
                                                               const std::string& key,
                                                               const Candidate& wanted) {
  Slot& slot = this->slot(key);
  std::lock_guard guard(slot.mutex);
  if (slot.is_header_known) return slot.header;
  slot.header = load(slot, key, input.is_external);
  if (!slot.header && !(slot.info && slot.info->text == kUnfit)) {
    if (!is_wanted_enough(key, wanted.wants)) return nullptr;
    cache::Lock lock = store.lock(key);
    slot.is_info_known = false;  // another process may have built it meanwhile
    slot.info.reset();
    slot.header = load(slot, key, input.is_external);
    if (!slot.header) {
      HeaderInfo info;
      info.key = key;
      info.text = wanted.text;
      slot.header = build(slot, input, command, std::move(info));
    }
  }
  slot.is_header_known = true;
  return slot.header;
}

HeaderCache::HeaderCache(cache::Store& store, cache::FileFacts& facts, bool is_eager)
    : state_(std::make_unique<State>(store, facts, is_eager)) {}
HeaderCache::~HeaderCache() = default;

std::optional<Request> HeaderCache::State::request(const LowerInput& input) const {
  if (!store.usable() || input.arguments.size() < 2 || !input.logged_file_system)
    return std::nullopt;
  Request request{take_apart(input), {}};
  if (!request.command.is_absolute) return std::nullopt;
  request.scan = scan_includes({input.path, request.command.all, input.is_external, is_large},
                               *input.file_system);
  return request;
}

std::string HeaderCache::wanted(const LowerInput& input) const {
  const std::optional<Request> request = state_->request(input);
  if (!request) return "";
  const std::vector<Candidate> all = candidates(request->scan, is_cuda(input.arguments));
  return all.empty() ? "" : key_of(request->command, all.front().text);
}

std::shared_ptr<const SharedHeader> HeaderCache::find(const LowerInput& input, HeaderUse& use) {
  const std::optional<Request> request = state_->request(input);
  if (!request) return nullptr;
  const auto& [command, scan] = *request;
  for (const Candidate& each : candidates(scan, is_cuda(input.arguments))) {
    std::string key = key_of(command, each.text);
    auto header = state_->header(input, command, key, each);
    if (!header || !same_roots(scan, header->info) || touches(scan, command, *header) ||
        !is_neutral(header->info, command.own, state_->facts))
      continue;
    use = {key, header->info.id, command.own};
    return header;
  }
  return nullptr;
}

bool HeaderCache::is_current(const HeaderUse& use, const IsExternal& is_external) {
  State::Slot& slot = state_->slot(use.key);
  std::lock_guard guard(slot.mutex);
  const std::optional<HeaderInfo>& info = state_->info(slot, use.key, is_external);
  return info && info->id == use.id && is_neutral(*info, use.project_folders, state_->facts);
}

unsigned HeaderCache::built() const { return state_->built; }

}  // namespace placecheck::frontend
