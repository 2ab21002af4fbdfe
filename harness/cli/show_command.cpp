// SPDX-License-Identifier: MIT
//
// slidebench show: the answer and the tables of a run, from its folder.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/answer/answer.hpp"
#include "harness/answer/answer_text.hpp"
#include "harness/answer/ranking.hpp"
#include "harness/answer/verdict.hpp"
#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/terminal.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/extra_command.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

struct ShowOptions {
  std::string folder;  ///< empty: the newest run
  std::string reference;
  std::string own;  ///< the verdict line of the user's engine
  std::vector<std::string> cells;
  bool all = false;
  bool as_json = false;
};

/// The words by which a cell can be named, the workload, the trace and the pressure always.
std::vector<std::string> words_of(const Cell& of) {
  const CellText cell = names_of(of), usual;
  std::vector<std::string> words{cell.workload, cell.trace, cell.pressure};
  if (cell.kinds != usual.kinds) words.push_back(cell.kinds);
  if (cell.pages != usual.pages) words.push_back(cell.pages);
  if (cell.corunners > 0) words.push_back("corunners=" + std::to_string(cell.corunners));
  return words;
}

/// The words of "throughput,search,isolated".
std::vector<std::string> wanted_words(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

/// Whether a cell has all words of a text that has some.
bool has_words(const Cell& cell, const std::string& text) {
  std::vector<std::string> words = words_of(cell);
  const CellText names = names_of(cell);
  words.insert(words.end(), {names.kinds, names.pages});
  const std::vector<std::string> wanted = wanted_words(text);
  const auto is_there = [&words](const std::string& word) { return std::ranges::find(words, word) != words.end(); };
  return !wanted.empty() && std::ranges::all_of(wanted, is_there);
}

/// The cells of a run in the order of its summary.
std::vector<Cell> cells_of(const RunFolder& run) {
  std::vector<Cell> cells;
  for (const SummaryRow& row : run.rows) {
    if (cells.empty() || !(cells.back() == row.cell)) cells.push_back(row.cell);
  }
  return cells;
}

UserError no_such_cell(const std::string& wanted, const ShowOptions& options, const std::vector<Cell>& cells) {
  std::set<std::string> words;
  std::string names;
  for (const Cell& cell : cells) {
    for (const std::string& word : words_of(cell)) words.insert(word);
    names += (names.empty() ? "" : " ") + joined(words_of(cell), ",");
  }
  for (const std::string& word : wanted_words(wanted)) {
    if (!words.contains(word)) {
      return UserError("no cell of " + options.folder + " is '" + word + "'" +
                       did_you_mean(word, {words.begin(), words.end()}) + "; the cells are " + names);
    }
  }
  return UserError("no cell of " + options.folder + " is all of '" + wanted + "'; the cells are " + names);
}

std::vector<Cell> chosen_cells(const RunFolder& run, const ShowOptions& options) {
  std::vector<Cell> cells = cells_of(run);
  if (options.all) return cells;
  for (const std::string& wanted : options.cells) {
    const auto is_wanted = [&wanted](const Cell& cell) { return has_words(cell, wanted); };
    if (std::ranges::none_of(cells, is_wanted)) throw no_such_cell(wanted, options, cells);
  }
  std::erase_if(cells, [&options](const Cell& cell) {
    return std::ranges::none_of(options.cells, [&cell](const std::string& wanted) { return has_words(cell, wanted); });
  });
  return cells;
}

json rows_json(const std::vector<SummaryRow>& rows) {
  json list = json::array();
  for (const SummaryRow& row : rows) {
    const auto known = [](const std::optional<Estimate>& e) { return e ? json(e->value) : json(); };
    const bool interval = row.ratio && has_interval(*row.ratio);
    list.push_back({{"cell", row.cell},
                    {"contender", row.contender},
                    {"role", to_string(row.role)},
                    {"ns_per_query", row.ns_per_query.value},
                    {"net_ns_per_query", known(row.net_ns_per_query)},
                    {"ratio", known(row.ratio)},
                    {"ratio_low", interval ? json(row.ratio->low) : json()},
                    {"ratio_high", interval ? json(row.ratio->high) : json()},
                    {"aa_bound", row.aa_bound},
                    {"verdict", verdict_text(row)}});
  }
  return list;
}

/// What is to be known of a run beside its figures: what disturbed it, what it left out.
std::string notes_text(const json& record) {
  std::string text;
  for (const json& warning : record.value("warnings", json::array())) text += "  " + warning.get<std::string>() + "\n";
  for (const json& skipped : record.value("skipped", json::array())) {
    text += "  left out " + skipped.at("id").get<std::string>() + ": " + skipped.at("why").get<std::string>() + "\n";
  }
  const json counters = record.value("counters", json::object());
  if (counters.value("status", "") == "none") text += "  no hardware counters: " + counters.value("reason", "") + "\n";
  return text.empty() ? "" : "\nnotes\n" + text;
}

/// The folder under reports/ whose run ended last. Throws UserError where there is none.
std::string newest_run() {
  namespace fs = std::filesystem;
  std::error_code error;
  std::string newest;
  fs::file_time_type latest;
  for (const fs::directory_entry& entry : fs::directory_iterator("reports", error)) {
    // What is committed is kept compressed, and is nobody's last run.
    if (!fs::exists(entry.path() / "run.json", error) || !holds_run(entry.path())) continue;
    const fs::file_time_type time = fs::last_write_time(entry.path() / "run.json", error);
    if (error || (!newest.empty() && time <= latest)) continue;
    newest = entry.path().string();
    latest = time;
  }
  if (newest.empty())
    throw UserError(
        "no run in reports/ yet; scripts/run_bench.sh makes one, or name DIR, the folder given to run --out");
  std::cerr << "slidebench: the newest run, " << newest << "\n";
  return newest;
}

/// The words of a run with tables, after the answer.
std::string more_text(const ShowOptions& options, const RunFolder& run, const std::string& reference) {
  const Answer answer = answer_against(run, reference);
  const std::vector<Situation>& situations = answer.situations;
  const std::vector<std::string> words = words_of(situations.empty() ? cells_of(run).back() : situations.front().cell);
  return "More: " + typed_program() + " show " + options.folder + " --all, --cell " + joined(words, ",") +
         ", or --reference METHOD; words: " + typed_program() + " help glossary\n";
}

/// A duel is told by the program that has fought it.
void tell_duel(const ShowOptions& options, const RunFolder& run, const std::string& reference) {
  if (!is_extra_command("duel"))
    throw UserError(options.folder +
                    " holds a duel, of which this build says nothing: -DSLIDEBENCH_EXTRAS=engines, or --json");
  if (options.all) std::cout << notes_text(run.record) << std::flush;
  std::exit(run_extra({typed_program(), "duel", "--tell", options.folder, "--reference", reference}));
}

void show(ShowOptions options) {
  if (options.folder.empty()) options.folder = newest_run();
  const RunFolder run = read_run_folder(options.folder);
  const std::string reference = options.reference.empty() ? usual_reference(run) : options.reference;
  const std::vector<Cell> cells = chosen_cells(run, options);
  std::vector<SummaryRow> rows = rows_against(run, reference);
  std::erase_if(rows, [&](const SummaryRow& row) { return std::ranges::find(cells, row.cell) == cells.end(); });
  if (options.as_json) {
    const json all = answer_json(run, reference);
    std::cout << (cells.empty() ? all : json{{"answer", all}, {"rows", rows_json(rows)}}).dump(2) << "\n";
    return;
  }
  if (is_duel(run)) return tell_duel(options, run, reference);
  const Ink ink = output_ink();
  const std::size_t width = columns_of(STDOUT_FILENO);
  const bool with_answer = cells.empty() || options.all;
  if (with_answer) std::cout << answer_text(run, {reference, options.own, options.all}, ink, width);
  std::cout << ranking_text(rows, ink);
  if (options.all) std::cout << correlations_text(run.correlations, run.reliabilities);
  if (options.all) std::cout << checks_text(run.checks);
  if (options.all) std::cout << notes_text(run.record);
  if (cells.empty()) std::cout << more_text(options, run, reference);
}

}  // namespace

void add_show_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("show", "Shows the answer and the tables of a run");
  auto options = std::make_shared<ShowOptions>();
  command->add_option("DIR", options->folder, "The folder of a run (default: the newest in reports/)");
  command
      ->add_option("--reference", options->reference,
                   "What the methods are compared with (default: as the run was; usually magic_fancy)")
      ->type_name("ID");
  command
      ->add_option(
          "--my", options->own,
          "Your engine: network, classical or perft, or loop; its line of the verdict is marked, and the table "
          "and the next step follow it (default: the first that was measured)")
      ->check(CLI::IsMember(verdict_ids()))
      ->type_name("ENGINE");
  command
      ->add_option("--cell", options->cells,
                   "The table of the cells that have these words: workload, trace, pressure, kinds; may be repeated")
      ->type_name("WORDS");
  command->add_flag("--all", options->all, "All tables, checks and notes");
  command->add_flag("--json", options->as_json, "As JSON; alone it is what a run writes as answer.json");
  command->footer(
      "A table has a line per method: time per query, the same without the loop's own, the ratio to the reference with "
      "its\n"
      "95 % interval, and the verdict.\n\n"
      "Example:\n  slidebench show\n  slidebench show reports/first --reference pext\n  slidebench show reports/first "
      "--cell throughput,search,net1024\n"
      "  slidebench show reports/older --json > reports/older/answer.json");
  command->callback([options] { show(*options); });
}

}  // namespace slidebench
