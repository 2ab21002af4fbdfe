// SPDX-License-Identifier: MIT
#include "harness/plugin/module_check.hpp"

#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/base/json_optional.hpp"
#include "harness/base/json_schema.hpp"
#include "harness/base/self_process.hpp"
#include "harness/plugin/crash_report.hpp"
#include "harness/plugin/extension.hpp"

namespace slidebench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VerificationOptions, seed, random_boards, joint_every, trace)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ModuleVerdict, answers, nodes, failure)

namespace {

using nlohmann::json;

constexpr int first_signal_status = 128;

/// "method x (x.v3.so) crashed while it was checked: Segmentation fault".
std::string crash_text(const Plugin& plugin, const ChildEnd& end, double limit_seconds) {
  std::string what = "ended its process while it was checked, with status " + std::to_string(end.status);
  if (end.status > first_signal_status) {
    what = std::string("crashed while it was checked: ") + strsignal(end.status - first_signal_status);
  }
  if (end.timed_out) what = describe_end(end, limit_seconds) + " while it was checked, and was ended";
  return "method " + plugin.id() + " (" + plugin.path().string() + ") " + what;
}

ModuleVerdict verdict_on_answers(Plugin& plugin, const VerificationOptions& options) {
  plugin.initialise();
  if (plugin.descriptor().group == MethodGroup::extension) {
    const Extension* extension = extension_of(plugin.descriptor());
    return extension != nullptr ? extension->verify(plugin, options)
                                : ModuleVerdict{0, 0, plugin.id() + ": of an extra that this program lacks"};
  }
  const VerificationResult queries = verify_method(plugin.descriptor(), options);
  ModuleVerdict verdict{queries.answers, 0, queries.counter_example};
  if (verdict.failure) return verdict;
  const VerificationResult engine = engine::verify_engine(plugin.descriptor().engine);
  verdict.nodes = engine.answers;
  if (engine.counter_example) verdict.failure = plugin.id() + ": engine: " + *engine.counter_example;
  return verdict;
}

}  // namespace

ModuleVerdict check_module(const Plugin& plugin, const VerificationOptions& options, double limit_seconds) {
  const json asked = {{"module", plugin.path().string()}, {"options", options}};
  std::optional<ModuleVerdict> verdict;
  const auto take_line = [&verdict](const std::string& line) {
    const json answer = json::parse(line, nullptr, false);
    if (!answer.is_object() || !answer.contains("slidebench_verdict")) return;  // the module's own output
    const json schema = {{"answers", "whole"}, {"nodes", "whole"}, {"failure", "text|null"}};
    check_json(answer.at("slidebench_verdict"), schema, "what a module printed while it was checked");
    verdict = answer.at("slidebench_verdict").get<ModuleVerdict>();
  };
  const std::atomic<bool> never_stop = false;
  const ChildEnd end = run_self({"check-module"}, "SLIDEBENCH_CHECK=1", asked.dump(), take_line, never_stop,
                                limit_seconds, ProcessGroup::own);
  if (end.status != 0 || !verdict) return {0, 0, crash_text(plugin, end, limit_seconds)};
  return *verdict;
}

void serve_module_check() {
  leave_crashes();
  const json asked = json::parse(std::cin);
  Plugin plugin = Plugin::open(asked.at("module").get<std::string>());
  const json answer = {
      {"slidebench_verdict", verdict_on_answers(plugin, asked.at("options").get<VerificationOptions>())}};
  std::cout << answer.dump() << std::endl;
}

}  // namespace slidebench
