// SPDX-License-Identifier: MIT
//
// slidebench try: which look-up is fastest in an engine that is not ours, measured in it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "extras/engines/commands.hpp"
#include "extras/engines/duel/duel_options.hpp"
#include "extras/engines/duel/duel_session.hpp"
#include "extras/engines/duel/engine_builds.hpp"
#include "extras/engines/try/attack_header.hpp"
#include "extras/engines/try/engine_build.hpp"
#include "extras/engines/try/engine_trees.hpp"
#include "harness/answer/next_step.hpp"
#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/self_process.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/extra_command.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/protocol_options.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using duel::Clock;
using duel::seconds_since;

struct TryOptions {
  DuelOptions duel;
  std::string engine;
  std::string header = "slidebench_attacks.h";
  std::vector<std::string> methods;
  std::string time = "6m";
  bool resume = false;
  std::string record;
  std::vector<std::string> build;
};

/// Writes the header for one method after the other, and leaves the author's own at the end, however that comes.
class HeaderFile {
 public:
  explicit HeaderFile(std::string path) : path_(std::move(path)) {}
  HeaderFile(const HeaderFile&) = delete;
  HeaderFile& operator=(const HeaderFile&) = delete;
  ~HeaderFile() {
    try {
      if (written_) write(own_attacks);
    } catch (const UserError& error) {
      std::cerr << "slidebench: " << error.what() << std::endl;
    }
  }

  /// @param method  empty: the author's own, which writes down what it is asked
  void write(const std::string& method) {
    write_file(path_, method.empty() ? recording_header() : attack_header(method));
    written_ = true;
  }

 private:
  std::string path_;
  bool written_ = false;
};

/// Throws UserError unless all of a program was compiled with the header of one method.
void check_header_seen(const fs::path& program, const std::string& method, const std::string& header) {
  const std::vector<std::string> seen = attacks_in(program);
  if (seen == std::vector<std::string>{method}) return;
  if (seen.empty())
    throw UserError("the build did not see " + header +
                    ": include it where the look-ups are, call sliding_init() once, "
                    "and name the file by --header");
  throw UserError("the build left parts with the header of " + joined(seen, ", ") + " where " + method +
                  " was written: build from clean, as in -- sh -c 'make clean && make build'");
}

class Trial {
 public:
  Trial(const TryOptions& options, DuelSettings settings)
      : options_(options),
        settings_(std::move(settings)),
        seconds_(parse_duration("--time", options.time)),
        header_(options.header),
        program_(duel::read_engine(options.engine)),
        build_{options.build, program_.builds.front(), settings_.out} {}

  /// Builds the engine with the recorder, and lets it search some positions.
  void record() {
    const fs::path log = options_.record;
    if (fs::exists(log)) throw UserError("--record " + log.string() + ": is there already; name a new file");
    build_.out = log.string() + ".build";
    build_.placements = 1;
    fs::create_directories(build_.out);
    header_.write("");
    const std::vector<fs::path> builds = build_engine(build_, "record", stop_);
    check_header_seen(builds.front(), "record", options_.header);
    duel::EngineSpec spec = side("record", builds);
    const EngineTrees trees(spec, settings_.conditions, settings_.positions, options_.duel.nodes_given, stop_);
    settings_.conditions.limit = trees.limit();
    spec.environment.push_back("SLIDEBENCH_QUERIES=" + fs::absolute(log).string());
    {
      duel::UciEngine engine(spec, 0, settings_.conditions, "", stop_);
      ::kill(engine.process().id(), SIGUSR1);
      constexpr std::size_t enough = 8;
      for (std::size_t i = 0; i < std::min(enough, settings_.positions.size()); ++i)
        engine.search(settings_.positions[i]);
    }
    std::string logs;
    for (unsigned i = 1; fs::exists(log.string() + (i == 1 ? "" : "." + std::to_string(i))); ++i)
      logs += " " + shell_word(log.string() + (i == 1 ? "" : "." + std::to_string(i)));
    if (logs.empty()) throw UserError("nothing was recorded: is sliding_init() called before the engine says uciok?");
    fs::remove_all(build_.out);
    std::cout << typed_program() << " trace import" << logs << " --out engine.trace\n";
  }

  void run() {
    begin();
    std::optional<RunJournal> journal;
    if (RunJournal::is_in(settings_.out)) journal = RunJournal::open(settings_.out, "try");
    if (journal) {
      recover();
    } else {
      build_all();
    }
    settings_.for_seconds = journal ? seconds_ : std::max(seconds_ - seconds_since(start_), seconds_ / 2);
    settings_.reference = own_attacks;
    settings_.goes_on = goes_on;
    add_engine_options(options_.duel, settings_.engines);
    run_duel(settings_, std::move(journal));
  }

 private:
  static constexpr const char* goes_on = "the same command with --resume goes on";

  void begin() const {
    const bool there = fs::exists(settings_.out);
    if (there && !options_.resume)
      throw UserError("--out " + settings_.out +
                      ": is there already; --resume goes on with it, another --out begins anew");
    if (!there && options_.resume) throw UserError("--resume: there is no " + settings_.out + " to go on with");
    for (const std::string& method : options_.methods) {
      const std::vector<std::string> known = header_methods();
      if (std::find(known.begin(), known.end(), method) == known.end())
        throw UserError("--method " + method + ": has no header" + did_you_mean(method, known) + "; they are " +
                        joined(known, ", "));
    }
  }

  /// The methods to try: without --method all but those that are nowhere fast.
  std::vector<std::string> methods() const {
    if (!options_.methods.empty()) return options_.methods;
    std::vector<std::string> methods = header_methods();
    std::erase(methods, "kogge_stone");
#ifndef __aarch64__
    std::erase(methods, "hyperbola_bitreverse");
#endif
    return methods;
  }

  duel::EngineSpec side(const std::string& method, const std::vector<fs::path>& builds) const {
    duel::EngineSpec spec = program_;
    spec.name = method;
    spec.builds.assign(builds.begin(), builds.end());
    spec.command = spec.builds.front();
    return spec;
  }

  /// Builds `own` first, which has to work; a method that fails is left out with one line.
  void build_all() {
    try {
      fs::create_directories(settings_.out);
      add(own_attacks);
      const double once = seconds_since(start_);
      std::string why;
      std::vector<std::string> late;
      for (const std::string& method : methods()) {
        const bool is_late = settings_.engines.size() > 3 && seconds_since(start_) + once > seconds_ / 2;
        if (is_late && options_.methods.empty()) {
          late.push_back(method);
          continue;
        }
        why = failure_of(method);
        if (!why.empty()) leave_out(method, why);
      }
      if (!late.empty()) leave_out(joined(late, ", "), "no time for the build; give more --time, or --method");
      if (settings_.engines.size() < 2) throw UserError("no method is left to compare: " + why);
    } catch (const duel::Interrupted&) {
      throw UserError(std::string("interrupted while the builds were made; ") + goes_on);
    }
    write_file(fs::path(settings_.out) / "limit", to_string(settings_.conditions.limit) + "\n");
  }

  void leave_out(const std::string& method, const std::string& why) {
    const bool one = method.find(',') == std::string::npos;
    settings_.notes.push_back(method + (one ? " is" : " are") + " left out: " + why);
    if (methods().size() > 1) std::cerr << "slidebench: " << settings_.notes.back() << std::endl;
  }

  /// Why a method cannot be compared; empty if it can.
  std::string failure_of(const std::string& method) {
    try {
      add(method);
      return "";
    } catch (const UserError& error) {
      fs::remove_all(build_.out / "builds" / method);
      return error.what();
    }
  }

  void add(const std::string& method) {
    const Clock::time_point begin = Clock::now();
    header_.write(method);
    const std::vector<fs::path> builds = build_engine(build_, method, stop_);
    check_header_seen(builds.front(), method, options_.header);
    const duel::EngineSpec spec = side(method, builds);
    if (method == own_attacks) {
      trees_.emplace(spec, settings_.conditions, settings_.positions, options_.duel.nodes_given, stop_);
      settings_.conditions.limit = trees_->limit();
    } else {
      trees_->compare(spec);
    }
    settings_.engines.push_back(spec);
    if (builds.size() < 2)
      settings_.notes.push_back(method + " is measured in one placement: lld is not there, or cannot link this build");
    std::cerr << "slidebench: " << method << ": " << builds.size() << (builds.size() == 1 ? " build" : " builds")
              << " in " << duration_text(seconds_since(begin)) << "; "
              << duration_text(std::max(seconds_ / 2, seconds_ - seconds_since(start_))) << " left" << std::endl;
  }

  /// The sides and the limit of a duel that had begun.
  void recover() {
    std::vector<std::string> names = header_methods();
    names.insert(names.begin(), own_attacks);
    for (const std::string& name : names) {
      if (fs::exists(build_.out / "builds" / name))
        settings_.engines.push_back(side(name, build_engine(build_, name, stop_)));
    }
    std::ifstream file(fs::path(settings_.out) / "limit");
    std::string kind;
    std::uint64_t count = 0;
    file >> kind >> count;
    if (count == 0) throw UserError(settings_.out + "/limit is damaged; begin anew with another --out");
    settings_.conditions.limit = {kind == "nodes" ? count : 0, kind == "nodes" ? 0 : static_cast<unsigned>(count)};
  }

  const TryOptions& options_;
  DuelSettings settings_;
  double seconds_;
  HeaderFile header_;
  duel::EngineSpec program_;
  EngineBuild build_;
  std::optional<EngineTrees> trees_;
  const std::atomic<bool>& stop_ = stop_on_interrupt();
  Clock::time_point start_ = Clock::now();
};

void add_options(CLI::App& command, TryOptions& options) {
  DuelSettings& settings = options.duel.settings;
  settings.rounds = 8;
  settings.out = "slidebench-try";
  command.add_option("--engine", options.engine, "The program that the build makes, with its arguments in quotes")
      ->type_name("COMMAND")
      ->required();
  command.add_option("--header", options.header, "Where the engine includes slidebench_attacks.h from")
      ->type_name("FILE")
      ->capture_default_str();
  command.add_option("--method", options.methods, "A method to try; may be repeated (default: those that may be fast)")
      ->type_name("ID")
      ->allow_extra_args(false);
  durations(command.add_option("--time", options.time, "For builds and measuring; half of it at least is measured"))
      ->capture_default_str();
  command.add_flag("--resume", options.resume, "Go on in the folder of --out, after Ctrl-C or with more --time");
  command
      .add_option("--record", options.record,
                  "Instead: write down what your own look-ups are asked, for `trace import`")
      ->type_name("FILE");
  add_condition_options(command, options.duel);
  margins(command.add_option("--margin", options.duel.margin, "Differences below it count as equal"))
      ->capture_default_str();
  seeds(command.add_option("--seed", settings.seed, "Seed of the orders"))->capture_default_str();
  command.add_option("--out", settings.out, "Folder for builds and results")->type_name("DIR")->capture_default_str();
  command.add_option("BUILD", options.build, "After --: the command that builds the engine")
      ->type_name("COMMAND")
      ->required();
}

}  // namespace

void add_try_command(CLI::App& program, const std::vector<std::string>& command_line) {
  CLI::App* command = program.add_subcommand("try", extra_description("try"));
  auto options = std::make_shared<TryOptions>();
  options->duel.settings.command_line = command_line;
  add_options(*command, *options);
  command->footer(
      "Once, in the engine: include slidebench_attacks.h, let the look-ups return sliding_bishop(square, occupied) "
      "and\n"
      "sliding_rook(square, occupied), name the old ones by SLIDING_OWN_BISHOP and SLIDING_OWN_ROOK, and call\n"
      "sliding_init() at the start: extras/engines/README.md.\n"
      "Example:\n  slidebench try --engine ./engine -- make -j2 build");
  command->callback([options, command] {
    options->duel.nodes_given = command->get_option("--nodes")->count() > 0;
    DuelSettings settings = checked_conditions(options->duel);
    settings.margin = parse_margin(options->duel.margin);
    Trial trial(*options, std::move(settings));
    options->record.empty() ? trial.run() : trial.record();
  });
}

}  // namespace slidebench
