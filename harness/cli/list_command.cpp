// SPDX-License-Identifier: MIT
//
// slidebench list: what methods there are, and which of them this CPU can run.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/base/json_optional.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/text_table.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/counters/calibration.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/counters/perf_source.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/method_selection.hpp"

namespace slidebench {

static void to_json(nlohmann::json& to, const TableInfo& table) { to = {{"name", table.name}, {"bytes", table.bytes}}; }

namespace {

/// The method's own needs, "bmi2" or "gfni avx512f"; empty for none.
std::string isa_text(const Plugin& plugin) { return joined(isa_names(plugin.info().requires_isa), " "); }

/// Whether a method has a batch of its own.
const char* batch_text(const Plugin& plugin) { return plugin.descriptor().queries.own_batch ? "own" : "derived"; }

void print_csv(const std::vector<Plugin>& methods, Isa host) {
  std::cout << "id,title,family,group,inventor,year,isa,status,table_bytes,reference,batch\n";
  for (const Plugin& p : methods) {
    const MethodInfo& i = p.info();
    std::cout << fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(i.id), csv_cell(i.title),
                             csv_cell(i.family), p.group(), csv_cell(i.inventor), i.year, csv_cell(isa_text(p)),
                             csv_cell(p.status(host)), whole_or_empty(p.table_bytes()), csv_cell(i.reference),
                             batch_text(p));
  }
}

void print_json(const std::vector<Plugin>& methods, Isa host) {
  nlohmann::json list = nlohmann::json::array();
  for (const Plugin& p : methods) {
    const MethodInfo& i = p.info();
    list.push_back({{"id", i.id},
                    {"title", i.title},
                    {"family", i.family},
                    {"group", p.group()},
                    {"inventor", i.inventor},
                    {"year", i.year},
                    {"isa", isa_text(p)},
                    {"level", p.level()},
                    {"status", p.status(host)},
                    {"table_bytes", p.table_bytes()},
                    {"tables", p.tables()},
                    {"reference", i.reference},
                    {"batch", batch_text(p)}});
  }
  std::cout << list.dump(2) << '\n';
}

void print_table(const std::vector<Plugin>& methods, Isa host) {
  TextTable table{.sides = "lllrlrlll"};
  table.rows.push_back({"id", "family", "group", "year", "level", "tables", "batch", "status", "title"});
  for (const Plugin& p : methods) {
    const std::optional<std::size_t> bytes = p.table_bytes();
    table.rows.push_back({p.id(), p.info().family, p.group(), fmt::format("{}", p.info().year), p.level(),
                          bytes ? readable_bytes(*bytes) : "unknown", batch_text(p), p.status(host), p.info().title});
  }
  std::cout << table.text();
}

/// What this machine counts, and by which source; each event is tried on work whose counts are known.
void print_events() {
  const Calibration found = calibrated(hardware_metrics());
  for (const MetricChoice& choice : found.choices) {
    const auto fault = std::find_if(found.faults.begin(), found.faults.end(),
                                    [&](const CalibrationFault& f) { return f.metric == choice.metric; });
    const std::string what = choice.event.empty()          ? "not counted: " + choice.error
                             : fault != found.faults.end() ? choice.event + " counts wrongly: " + fault->what
                                                           : choice.event + ", by " + choice.source;
    std::printf("%-16s %s\n", choice.metric.c_str(), what.c_str());
  }
  std::printf(
      "\nMore for --events, of the kernel: %s;\n"
      "of %s: its presets and the processor's own events, which papi_avail and papi_native_avail list\n",
      joined(perf_source()->names(), ", ").c_str(), papi_source()->name().c_str());
}

}  // namespace

void add_list_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("list", "Lists the methods, their tables, and what they need");
  auto options = std::make_shared<MethodOptions>();
  auto format = std::make_shared<std::string>("table");
  add_method_options(*command, *options);
  add_format_options(*command, *format);
  auto events = std::make_shared<bool>(false);
  command->add_flag("--events", *events, "The hardware events that this machine counts, instead of the methods")
      ->excludes(command->get_option("--format"))
      ->excludes(command->get_option("--json"))
      ->excludes(command->get_option("--method"));
  command->footer(
      "Example:\n  slidebench list --method family:magic --method extra\n  slidebench list --format csv > methods.csv");
  command->callback([options, format, events] {
    if (*events) return print_events();
    const std::vector<Plugin> methods = load_methods(*options);
    const Isa host = host_isa();
    if (*format == "csv") return print_csv(methods, host);
    if (*format == "json") return print_json(methods, host);
    print_table(methods, host);
  });
}

}  // namespace slidebench
