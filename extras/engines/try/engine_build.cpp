// SPDX-License-Identifier: MIT
#include "extras/engines/try/engine_build.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include "extras/engines/duel/engine_builds.hpp"
#include "extras/engines/duel/engine_process.hpp"
#include "harness/base/child_process.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using duel::Clock;

constexpr std::chrono::minutes longest_build(20);

/// Stands under the names of compilers, for which it is a flag more, and of linkers. Of a link it makes the one that
/// was asked for, which is the first placement, and the others into a folder of their own; -o is given again, and the
/// last one counts. What lld cannot link, as GCC's objects of link-time optimisation, the true linker does.
constexpr const char* wrapper = R"(#!/bin/sh
name=${0##*/}
own=$(PATH=$SLIDEBENCH_PATH command -v "$name")
[ "$own" ] || { echo "$name: not found" >&2; exit 127; }
case $name in ld*) ;; *) exec "$own" -ffunction-sections "$@" ;; esac
lld=$(PATH=$SLIDEBENCH_PATH command -v ld.lld) || exec "$own" "$@"
link() {
  seed=$1; shift
  "$lld" "--shuffle-sections=.text*=$seed" "--shuffle-sections=.rodata*=$seed" "--shuffle-sections=.data*=$seed" \
    "--shuffle-sections=.bss*=$seed" "$@"
}
link 1 "$@" 2>/dev/null || exec "$own" "$@"
into=$(mktemp -d "$SLIDEBENCH_LINKS/XXXXXXXX") || exit 0
for seed in $(seq "$SLIDEBENCH_PLACEMENTS"); do link "$seed" "$@" -o "$into/$seed" >/dev/null 2>&1; done
exit 0
)";

/// A folder with the wrapper under every name that a build may call a compiler or a linker by.
void make_tools(const fs::path& folder) {
  fs::create_directories(folder);
  write_file(folder / "wrapper", wrapper);
  fs::permissions(folder / "wrapper", fs::perms::owner_all);
  std::error_code exists;
  for (const char* name : {"ld", "ld.bfd", "ld.gold", "ld.lld", "cc", "c++", "gcc", "g++", "clang", "clang++"})
    fs::create_symlink("wrapper", folder / name, exists);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// What a log says of a failure: its first line with "error", else its last one.
std::string failure_in(const fs::path& log) {
  std::ifstream file(log);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    // A command that is echoed may have -Werror.
    for (const char* sign : {"error:", "error[", "undefined reference"})
      if (line.find(sign) != std::string::npos) return shortened(printable(line), 200);
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return last.empty() ? "it says nothing" : shortened(printable(last), 200);
}

void run(const EngineBuild& build, const std::string& name, const fs::path& links, const std::atomic<bool>& stop) {
  const fs::path tools = fs::absolute(build.out) / "tools", log = fs::absolute(build.out) / ("build-" + name + ".log");
  make_tools(tools);
  std::vector<std::string> words{"-c", "log=$1; shift; exec \"$@\" >\"$log\" 2>&1 </dev/null", "sh", log.string()};
  words.insert(words.end(), build.command.begin(), build.command.end());
  const std::string path = variable("PATH");
  ChildProcess child({.program = "/bin/sh",
                      .arguments = words,
                      .environment = {"PATH=" + tools.string() + ":" + path, "COMPILER_PATH=" + tools.string(),
                                      "SLIDEBENCH_PATH=" + path, "SLIDEBENCH_LINKS=" + links.string(),
                                      "SLIDEBENCH_PLACEMENTS=" + std::to_string(build.placements)},
                      .pipe_input = false,
                      .pipe_output = false,
                      .pipe_errors = false,
                      .own_group = true});
  const Clock::time_point end = Clock::now() + longest_build;
  while (!child.has_ended()) {
    if (stop) throw duel::Interrupted();
    if (Clock::now() > end)
      throw UserError("the build of " + name + " has not ended after 20 minutes; its last words are in " +
                      log.string());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const int status = child.wait();
  if (status != 0)
    throw UserError("the build of " + name + " failed (status " + std::to_string(status) + "): " + failure_in(log) +
                    "; all of it is in " + log.string());
}

/// The placements of the link that made the program; of a program that was changed afterwards, as by strip, those of
/// the last link. Each is another file.
std::vector<fs::path> placements_of(const fs::path& program, const fs::path& links) {
  std::vector<fs::path> found;
  const std::string wanted = duel::file_digest(program.string());
  fs::file_time_type newest = fs::file_time_type::min();
  for (const fs::directory_entry& link : fs::directory_iterator(links)) {
    std::vector<fs::path> files;
    std::set<std::string> digests;
    for (const fs::directory_entry& file : fs::directory_iterator(link)) files.push_back(file.path());
    std::sort(files.begin(), files.end());
    std::erase_if(files, [&](const fs::path& file) {
      return ::access(file.c_str(), X_OK) != 0 || !digests.insert(duel::file_digest(file.string())).second;
    });
    if (digests.contains(wanted)) return files;
    if (link.last_write_time() < newest) continue;
    newest = link.last_write_time();
    found = files;
  }
  return found;
}

}  // namespace

std::vector<fs::path> build_engine(const EngineBuild& build, const std::string& name, const std::atomic<bool>& stop) {
  const fs::path kept = build.out / "builds" / name, links = fs::absolute(build.out) / "links";
  std::vector<fs::path> builds;
  if (!fs::exists(kept)) {
    const fs::path made = fs::absolute(build.out) / "made";
    for (const fs::path& folder : {links, made}) {
      fs::remove_all(folder);
      fs::create_directories(folder);
    }
    fs::create_directories(kept.parent_path());
    run(build, name, links, stop);
    if (::access(build.program.c_str(), X_OK) != 0 || !fs::is_regular_file(build.program))
      throw UserError("--engine " + build.program.string() + ": is no program after the build of " + name +
                      "; name the file that the build makes");
    std::vector<fs::path> placements = placements_of(build.program, links);
    if (placements.size() < 2) placements = {build.program};
    for (std::size_t i = 0; i < placements.size(); ++i) fs::copy_file(placements[i], made / std::to_string(i + 1));
    fs::rename(made, kept);
    fs::remove_all(links);
  }
  for (const fs::directory_entry& file : fs::directory_iterator(kept)) builds.push_back(file.path());
  std::sort(builds.begin(), builds.end());
  return builds;
}

}  // namespace slidebench
