// SPDX-License-Identifier: MIT
//
// A plug-in that answers right, and at one place does what no method may: SLIDEBENCH_HOSTILE=PLACE:DEED.
//
//   places  load (a constructor), init, query (of a rook, in verification), replay (a timed loop)
//   deeds   crash, hang, exit, kill (its process, by SIGKILL: as the kernel does when memory is short),
//           fork (a process that outlives it, in a session of its own), late (hangs when its process ends),
//           locale, folder, environment, signal, streams (changes or closes them)
//
// SLIDEBENCH_HOSTILE_COUNT=FILE counts the deeds; after SLIDEBENCH_HOSTILE_MOST of them it behaves. Compiled by
// test_faults.py, which may change the descriptor by -DHOSTILE_CHANGES=...
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "harness/plugin/example/first_rank_rays.hpp"
#include "harness/plugin/module.hpp"

namespace {

using namespace slidebench;

std::string_view variable(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

/// Counts a deed; false if there were enough.
bool may_act() {
  const std::string_view file = variable("SLIDEBENCH_HOSTILE_COUNT");
  if (file.empty()) return true;
  std::error_code error;
  const auto before = std::filesystem::file_size(file, error);
  if (!error && before >= std::strtoul(variable("SLIDEBENCH_HOSTILE_MOST").data(), nullptr, 10)) return false;
  std::ofstream(std::filesystem::path(file), std::ios::app) << '.';
  return true;
}

void act(std::string_view place) {
  const std::string_view order = variable("SLIDEBENCH_HOSTILE");
  if (order.substr(0, order.find(':')) != place || !may_act()) return;
  const std::string_view deed = order.substr(place.size() + 1);
  if (deed == "crash") __builtin_trap();
  if (deed == "exit") std::exit(0);
  if (deed == "kill") std::raise(SIGKILL);
  if (deed == "fork" && fork() == 0) {
    setsid();
    sleep(1000);
    _exit(0);
  }
  if (deed == "late") std::atexit([] { pause(); });
  if (deed == "locale") std::setlocale(LC_ALL, "C.UTF-8");
  if (deed == "folder" && chdir("/") != 0) std::abort();
  if (deed == "environment") unsetenv("PATH");
  if (deed == "signal") std::signal(SIGALRM, SIG_DFL);
  if (deed == "streams") close(STDOUT_FILENO);
  if (deed != "hang") return;
  for (volatile bool for_ever = true; for_ever;) {
  }
}

__attribute__((constructor)) void loaded() { act("load"); }

}  // namespace

using Store = AskAnew<FirstRankRays>;  // defined below; nobody gets as far

namespace {

constexpr PluginDescriptor honest() {
  // A control module needs no engine.
  PluginDescriptor d = ModuleOf<FirstRankRays>::descriptor<ModuleRole::timed>(2, Isa::none, MethodGroup::core, "");
  return d;
}
constexpr ReplayKernel honest_replay = honest().replay.throughput.alone;

/// For -DHOSTILE_CHANGES: more than any computer has.
[[maybe_unused]] constexpr TableInfo vast[]{{"all", nullptr, std::size_t{1} << 60}};

constexpr PluginDescriptor hostile() {
  PluginDescriptor d = honest();
  d.initialise = [] { act("init"); };
  d.queries.rook = [](Square s, Bitboard occupied) {
    act("query");
    return reference::rook(s, occupied);
  };
  d.replay.throughput.alone = [](const TraceBlock& block) {
    act("replay");
    return honest_replay(block);
  };
#ifdef HOSTILE_CHANGES
  HOSTILE_CHANGES
#endif
  return d;
}

}  // namespace

extern "C" constinit const PluginDescriptor slidebench_plugin = hostile();

#include "harness/plugin/module_store.hpp"
