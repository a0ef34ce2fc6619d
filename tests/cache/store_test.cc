#include "analyzer/cache/store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/cache/folder.h"

namespace placecheck::cache {
namespace {

std::string bytes_at(const Store& store, llvm::StringRef kind, const std::string& key) {
  auto entry = store.read(kind, key);
  return entry ? entry->bytes().str() : "(absent)";
}

TEST(StoreTest, GivesBackWhatWasWritten) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1");
  ASSERT_TRUE(store.usable());
  std::string key = digest("a");
  EXPECT_EQ(bytes_at(store, "units", key), "(absent)");
  EXPECT_TRUE(store.write("units", key, "first"));
  EXPECT_TRUE(store.write("units", key, std::string("second\0\n", 8)));
  EXPECT_EQ(bytes_at(store, "units", key), std::string("second\0\n", 8));
  EXPECT_EQ(bytes_at(store, "headers", key), "(absent)");
  EXPECT_TRUE(store.write("units", digest("empty"), ""));
  EXPECT_EQ(bytes_at(store, "units", digest("empty")), "");
}

TEST(StoreTest, OutlivesTheObjectAndKeepsVersionsApart) {
  TemporaryFolder folder;
  std::string key = digest("a");
  ASSERT_TRUE(Store(folder.path("cache"), "1").write("units", key, "text"));
  EXPECT_EQ(bytes_at(Store(folder.path("cache"), "1"), "units", key), "text");
  EXPECT_EQ(bytes_at(Store(folder.path("cache"), "2"), "units", key), "(absent)");
}

TEST(StoreTest, AnyFlippedByteMakesAnEntryAbsent) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1");
  std::string key = digest("a");
  ASSERT_TRUE(store.write("units", key, "some bytes"));
  std::string file = folder.files("units").at(0);
  const std::string good = read_text(file);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    write_text(file, bad);
    EXPECT_EQ(bytes_at(store, "units", key), "(absent)") << "byte " << i;
  }
  for (size_t size = 0; size < good.size(); ++size) {
    write_text(file, good.substr(0, size));
    EXPECT_EQ(bytes_at(store, "units", key), "(absent)") << "cut to " << size;
  }
  write_text(file, good);
  EXPECT_EQ(bytes_at(store, "units", key), "some bytes");
}

TEST(StoreTest, AnEntryUnderAnothersNameIsAbsent) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1");
  ASSERT_TRUE(store.write("units", digest("a"), "of a"));
  std::string of_a = folder.files("units").at(0);
  ASSERT_TRUE(store.write("units", digest("b"), "of b"));
  for (const std::string& file : folder.files("units"))
    if (file != of_a)
      std::filesystem::copy_file(of_a, file, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(bytes_at(store, "units", digest("b")), "(absent)");
  EXPECT_EQ(bytes_at(store, "units", digest("a")), "of a");
}

TEST(StoreTest, AReaderKeepsItsBytesWhenTheEntryGoes) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1");
  std::string text(1 << 20, 'x');
  ASSERT_TRUE(store.write("headers", digest("a"), text));
  auto entry = store.read("headers", digest("a"));
  ASSERT_TRUE(entry);
  ASSERT_TRUE(store.write("headers", digest("a"), "shorter"));
  ASSERT_TRUE(Store::clear(folder.path("cache")));
  EXPECT_EQ(entry->bytes(), text);
}

TEST(StoreTest, EvictsWhatWasUsedLongestAgo) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1", /*max_bytes=*/10'000);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(store.write("units", digest(std::to_string(i)), std::string(1000, 'x')));
    std::string file;
    for (const std::string& each : folder.files(digest(std::to_string(i)))) file = each;
    // Entry 3 is the one that was used last.
    auto age = std::chrono::hours(i == 3 ? 1 : 100 - i);
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
  }
  store.trim();
  EXPECT_NE(bytes_at(store, "units", digest("3")), "(absent)");
  EXPECT_NE(bytes_at(store, "units", digest("19")), "(absent)");
  EXPECT_EQ(bytes_at(store, "units", digest("0")), "(absent)");
  uint64_t total = 0;
  for (const std::string& file : folder.files("units")) total += std::filesystem::file_size(file);
  EXPECT_LE(total, 10'000u);
  EXPECT_GE(total, 7'000u);
}

TEST(StoreTest, ReadingIsUsing) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1");
  ASSERT_TRUE(store.write("units", digest("a"), "text"));
  std::string file = folder.files("units").at(0);
  auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(50);
  std::filesystem::last_write_time(file, long_ago);
  ASSERT_TRUE(store.read("units", digest("a")));
  EXPECT_GT(std::filesystem::last_write_time(file), long_ago + std::chrono::hours(49));
}

TEST(StoreTest, AFolderThatCannotBeWrittenIsNoError) {
  TemporaryFolder folder;
  std::string file = folder.write("file", "not a folder");
  Store store(file, "1");
  EXPECT_FALSE(store.usable());
  EXPECT_FALSE(store.write("units", digest("a"), "text"));
  EXPECT_FALSE(store.read("units", digest("a")));
  store.trim();
  EXPECT_FALSE(Store("", "1").usable());
  // All writes to it fail as on a full disk.
  Store full(folder.path("cache"), "1");
  std::filesystem::create_directories(folder.path("elsewhere"));
  for (const auto& each : std::filesystem::directory_iterator(folder.path("cache")))
    write_text(each.path() / "units", "in the way");
  EXPECT_FALSE(full.write("units", digest("a"), "text"));
}

TEST(StoreTest, ClearingLeavesWhatIsNotOurs) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1");
  ASSERT_TRUE(store.write("units", digest("a"), "text"));
  folder.write("cache/precious.txt", "keep");
  folder.write("cache/sources/a.cc", "keep");
  EXPECT_TRUE(Store::clear(folder.path("cache")));
  EXPECT_EQ(folder.files().size(), 2u);
  EXPECT_TRUE(Store::clear(folder.path("nowhere")));
}

TEST(StoreTest, ALockIsLetGoOfByAProcessThatIsKilled) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    Lock lock = store.lock("key");
    (void)!write(ready[1], "x", 1);
    pause();
    _exit(0);
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  std::atomic<bool> is_held = false;
  std::thread waiter([&] {
    Lock lock = store.lock("key");
    is_held = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(is_held);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  waiter.join();
  EXPECT_TRUE(is_held);
}

TEST(StoreTest, ManyWritersAndReadersSeeWholeEntries) {
  TemporaryFolder folder;
  Store store(folder.path("cache"), "1");
  std::vector<std::thread> threads;
  std::atomic<int> damaged = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        store.write("units", digest("a"), std::string(5000 + t, static_cast<char>('a' + t)));
        if (auto entry = store.read("units", digest("a"))) {
          llvm::StringRef bytes = entry->bytes();
          if (bytes.size() != 5000u + (bytes[0] - 'a')) ++damaged;
        } else {
          ++damaged;
        }
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(damaged, 0);
}

TEST(StoreTest, FoldersThatOthersMayWriteToAreRefused) {
  TemporaryFolder folder;
  folder.write("cache/x", "");
  std::filesystem::permissions(folder.path("cache"), std::filesystem::perms::all);
  Store store(folder.path("cache"), "1");
  EXPECT_FALSE(store.usable());
  EXPECT_EQ(store.refusal(), "other users may write to it");
  EXPECT_FALSE(store.write("units", digest("a"), "text"));
}

}  // namespace
}  // namespace placecheck::cache
