// SPDX-License-Identifier: MIT
#include "harness/base/emulator.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace slidebench {
namespace {

namespace fs = std::filesystem;

/// The target of a link, empty if there is none.
fs::path target_of(const char* link) {
  std::error_code error;
  fs::path target = fs::read_symlink(link, error);
  return error ? fs::path() : target;
}

/// The file that the kernel has started, if that is not this program.
fs::path emulator_file() {
  const fs::path started = target_of("/proc/thread-self/exe");
  return started == target_of("/proc/self/exe") ? fs::path() : started;
}

/// The words of a file that holds each with a zero behind it.
std::vector<std::string> words_in(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace

std::optional<std::string> emulator() {
  const fs::path file = emulator_file();
  return file.empty() ? std::nullopt : std::optional(file.filename().string());
}

std::vector<std::string> emulator_command() {
  const fs::path file = emulator_file();
  // Valgrind starts what it runs itself.
  if (!file.filename().string().starts_with("qemu-")) return {};
  std::vector<std::string> words = words_in("/proc/thread-self/cmdline");
  const std::size_t own = words_in("/proc/self/cmdline").size();
  words.resize(words.size() > own ? words.size() - own : 0);
  if (words.empty()) words.resize(1);
  words.front() = file.string();
  return words;
}

std::string own_file() { return target_of("/proc/self/exe").string(); }

std::string typed_program() {
  fs::path file = own_file();
  if (file.filename().string().starts_with("slidebench-"))
    file.replace_filename("slidebench");  // which starts an extra's
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::error_code error;
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (fs::equivalent(fs::path(folder) / file.filename(), file, error)) return file.filename().string();
  }
  const fs::path from_here = file.lexically_relative(fs::current_path(error));
  const bool below = !from_here.empty() && *from_here.begin() != "..";
  return below && from_here.has_parent_path() ? from_here.string() : file.string();
}

}  // namespace slidebench
