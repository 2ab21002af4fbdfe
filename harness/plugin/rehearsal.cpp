// SPDX-License-Identifier: MIT
#include "harness/plugin/rehearsal.hpp"

#include <unistd.h>

#include <cstring>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/base/errors.hpp"
#include "harness/base/self_process.hpp"
#include "harness/plugin/crash_report.hpp"
#include "harness/plugin/loader.hpp"
#include "harness/plugin/process_state.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr const char *loading_key = "slidebench_loads", *answer_key = "slidebench_rehearsal";

/// How the process ended, where that is not as it should.
std::string end_text(const ChildEnd& end) {
  constexpr int before_signals = 128;
  if (end.timed_out) return hangs_text;
  if (end.status > before_signals) {
    return std::string("crashed while it was loaded: ") + strsignal(end.status - before_signals);
  }
  return "ended its process while it was loaded, with status " + std::to_string(end.status);
}

/// Empty if the module may be loaded.
std::string fault_of(const std::filesystem::path& module) {
  const ProcessState before;
  try {
    Plugin::open(module);
  } catch (const UserError& error) {
    return error.what();
  }
  const std::string changed = before.changed();
  if (changed.empty()) return "";
  return module.native() + ": the plug-in " + changed + " while it is loaded; a method does nothing but answer";
}

}  // namespace

void rehearse_loading(const std::vector<std::filesystem::path>& modules) {
  std::string input, loading;
  for (const std::filesystem::path& module : modules) input += std::filesystem::absolute(module).native() + '\0';
  std::optional<std::string> fault;
  const auto take_line = [&](const std::string& line) {
    const json answer = json::parse(line, nullptr, false);  // the module may print too
    if (!answer.is_object()) return;
    if (answer.contains(loading_key) && answer[loading_key].is_string()) loading = answer[loading_key];
    if (answer.contains(answer_key) && answer[answer_key].is_string()) fault = answer[answer_key];
  };
  const double limit = load_limit() > 0 ? load_limit() : std::numeric_limits<double>::infinity();
  const std::atomic<bool> never_stop = false;
  const ChildEnd end =
      run_self({"rehearse-module"}, "SLIDEBENCH_REHEARSAL=1", input, take_line, never_stop, limit, ProcessGroup::own);
  if (fault && !fault->empty()) throw UserError(*fault);
  if (!fault || end.status != 0) throw UserError(loading + ": the plug-in " + end_text(end));
}

void serve_rehearsal() {
  leave_crashes();
  // By its own descriptor: the module may close the standard ones.
  const FileHandle answers(dup(STDOUT_FILENO));
  const auto say = [&answers](const json& answer) {
    const std::string line = answer.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
    write_all(answers.get(), line.data(), line.size());
  };
  std::string fault;
  for (std::string module; fault.empty() && std::getline(std::cin, module, '\0');) {
    say({{loading_key, module}});
    fault = fault_of(module);
  }
  say({{answer_key, fault}});
}

}  // namespace slidebench
