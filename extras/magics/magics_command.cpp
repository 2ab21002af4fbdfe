// SPDX-License-Identifier: MIT
//
// slidebench-magics: the command magics, which searches magic factors, and proves them.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "extras/magics/check.hpp"
#include "extras/magics/find_factors.hpp"
#include "extras/magics/shard.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/output_file.hpp"
#include "harness/base/self_process.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/extra_command.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/program.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;

std::string variant_names() { return joined(magic_variants, ", ", &MagicVariant::name); }

struct FindSettings {
  std::string variant = "fancy";
  FindOptions options;
  std::string shard = "1/1";
  std::string out;
};

/// The command line that makes the same file; `--jobs` does not matter to it.
std::string command_of(const FindSettings& settings) {
  std::string command =
      "slidebench magics find --variant " + settings.variant + " --seed " + std::to_string(settings.options.seed);
  if (parse_shard(settings.shard).count > 1) command += " --shard " + settings.shard;
  const bool timed = settings.variant == "dense" || settings.options.variant->has_slots;
  if (timed) command += fmt::format(" --seconds {:g}", settings.options.seconds);
  const std::string file = settings.out.empty() ? "" : fs::path(settings.out).filename().string();
  return command + (file.empty() ? "" : " --out methods/magic/" + file);
}

/// A file that is there already, of the same variant: the search goes on from it.
std::optional<FactorFile> earlier_result(const FindSettings& settings) {
  if (settings.out.empty() || !fs::is_regular_file(settings.out)) return std::nullopt;  // not /dev/stdout and the like
  FactorFile file = read_factor_file(settings.out);
  if (file.variant != settings.options.variant) {
    throw UserError(settings.out + " holds factors of the variant " + std::string(file.variant->name) +
                    "; give another --out, or remove it");
  }
  if (const MagicsReport report = check_factors(file); report.counter_example) {
    throw UserError(settings.out + " is not magic (" + *report.counter_example + "); remove it to begin anew");
  }
  return file;
}

/// Keeps other searches from a file for as long as one goes on: by PATH.lock, which is empty and goes with the object.
/// A killed process leaves it, and the next one takes it over. Devices and pipes are not locked.
class WriteLock {
 public:
  /// @throws CannotWrite if another process has it, or the folder takes no file
  explicit WriteLock(const std::string& path) : lock_path_(fs::weakly_canonical(path).native() + ".lock") {
    if (!fs::exists(path) || fs::is_regular_file(path)) lock_ = open_alone(lock_path_, path);
  }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  ~WriteLock() {
    if (lock_) ::unlink(lock_path_.c_str());
  }

 private:
  std::string lock_path_;
  FileHandle lock_;
};

/// A search may take hours: whether its result can be written is asked before. What is made for the test is removed.
void check_writable(const std::string& path) {
  if (!path.empty()) OutputFile tried(path);
}

/// Proves factors. Throws CheckFailed with `what` they are and the counter-example.
MagicsReport proof_of(const FactorFile& file, const std::string& what) {
  MagicsReport report = check_factors(file);
  if (report.counter_example) throw CheckFailed(what + ": " + *report.counter_example);
  return report;
}

void print_or_write(const std::string& text, const std::string& out) {
  if (out.empty()) {
    std::cout << text;
  } else {
    write_file(out, text, Durability::synced);
  }
}

void find(FindSettings& settings) {
  if (!settings.out.empty()) {
    settings.options.checkpoint = [&settings](const FactorFile& best) {
      try {
        if (check_factors(best).counter_example) return;
        write_file(settings.out, factor_header(best, command_of(settings)), Durability::synced);
      } catch (const CannotWrite& error) {  // there may be room again at the end
        std::cerr << "slidebench: " << error.what() << std::endl;
      }
    };
  }
  settings.options.variant = find_magic_variant(settings.variant);
  if (settings.options.variant == nullptr) {
    throw UserError("unknown variant '" + settings.variant + "'; the variants are " + variant_names());
  }
  const bool resumes = settings.variant == "dense" || settings.options.variant->has_slots;
  FindOptions options = settings.options;
  options.seed = shard_seed(options.seed, parse_shard(settings.shard));
  check_writable(settings.out);
  std::optional<WriteLock> alone;  // what another search finds meanwhile would be lost
  if (!settings.out.empty()) alone.emplace(settings.out);
  const std::optional<FactorFile> start = resumes ? earlier_result(settings) : std::nullopt;

  // The first Ctrl-C ends the search, not the program: what was found is written.
  const std::atomic<bool>& interrupted = stop_on_interrupt();
  std::stop_source stop;
  std::jthread watch([&interrupted, &stop](const std::stop_token& done) {
    while (!done.stop_requested() && !interrupted) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  const auto progress = [](const std::string& line) { std::cerr << "slidebench: " << line << std::endl; };
  const FactorFile file = find_factors(options, start, progress, stop.get_token());
  watch.request_stop();

  proof_of(file, "the search gave a wrong factor");
  print_or_write(factor_header(file, command_of(settings)), settings.out);
}

void describe(const FactorFile& file, const MagicsReport& report, std::ostream& out) {
  out << file.variant->name << ": magic on " << (file.variant->has_rooks ? "128" : "64") << " squares; "
      << with_commas(report.entries) << " entries, " << with_commas(8 * report.entries) << " bytes of sets; "
      << with_commas(report.used) << " slots in use" << std::endl;
}

void merge(const std::vector<std::string>& paths, const std::string& out) {
  check_writable(out);
  std::vector<FactorFile> files;
  for (const std::string& path : paths) {
    files.push_back(read_factor_file(path));
    proof_of(files.back(), path);
  }
  const FactorFile best = best_of(files);
  describe(best, proof_of(best, "the best of all"), std::cerr);
  print_or_write(
      factor_header(best, "slidebench magics merge, the best of " + std::to_string(files.size()) + " searches"), out);
}

void add_find_command(CLI::App& magics) {
  CLI::App* command = magics.add_subcommand("find", "Searches magic factors; prints a header");
  auto settings = std::make_shared<FindSettings>();
  settings->options.jobs = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("--variant", settings->variant, "Which kind: " + variant_names())->capture_default_str();
  seeds(command->add_option("--seed", settings->options.seed, "Seed of the search"))->capture_default_str();
  command->add_option("--shard", settings->shard, "Part I of N of a search: each has a seed of its own")
      ->type_name("I/N");
  counts(command->add_option("--jobs", settings->options.jobs, "Threads (default: one a processor)"), 1, 1024);
  seconds(command->add_option("--seconds", settings->options.seconds,
                              "How long to search: dense, for each square; fixed_shift, overlapped and black, in all"),
          0.01, 1e7)
      ->capture_default_str();
  command->add_option("--out", settings->out, "File to write (default: standard output)")->type_name("FILE");
  command->footer(
      "The same seed gives the same factors on every machine and with any number of threads, but for the searches\n"
      "against the clock. Those (dense, fixed_shift, overlapped, black) go on from FILE if it is there, and never "
      "make\n"
      "it worse; Ctrl-C ends them and writes the best so far. They save it on the way too.\n\n"
      "Example:\n  slidebench magics find --variant fancy --seed 1 --out methods/magic/magic_factors.hpp\n"
      "  slidebench magics find --variant black --seconds 3600 --out black_factors.hpp\n"
      "  slidebench magics find --variant black --seconds 3600 --shard 3/100 --out shard3.hpp");
  command->callback([settings] { find(*settings); });
}

void add_merge_command(CLI::App& magics) {
  CLI::App* command = magics.add_subcommand("merge", "Takes the best factors of several files, and proves them");
  auto paths = std::make_shared<std::vector<std::string>>();
  auto out = std::make_shared<std::string>();
  command->add_option("FILE", *paths, "Headers of one variant that `magics find` has written")->required();
  command->add_option("--out", *out, "File to write (default: standard output)")->type_name("OUT");
  command->footer(
      "dense: the fewest index bits on each square; fixed_shift, overlapped and black: the table of the fewest slots.\n"
      "Every file is proved first: exit status 1 and a counter-example if one is wrong.\n\n"
      "Example:\n  slidebench magics merge shard1.hpp shard2.hpp shard3.hpp --out best.hpp");
  command->callback([paths, out] { merge(*paths, *out); });
}

void add_check_command(CLI::App& magics) {
  CLI::App* command = magics.add_subcommand("check", "Proves that factors are magic, by trying every occupancy");
  auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "A header that `magics find` has written")->required();
  command->footer(
      "Exit status 1 and a counter-example if two occupancies with different attacks share a slot.\n\n"
      "Example:\n  slidebench magics check methods/magic/black_factors.hpp");
  command->callback([path] {
    const FactorFile file = read_factor_file(*path);
    describe(file, proof_of(file, *path), std::cout);
  });
}

void add_magics_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("magics", extra_description("magics"));
  command->require_subcommand(1);
  add_find_command(*command);
  add_merge_command(*command);
  add_check_command(*command);
  command->footer(
      "Example:\n  slidebench magics find --variant fancy --seed 1 --out factors.hpp\n"
      "  slidebench magics check factors.hpp");
}

}  // namespace
}  // namespace slidebench

int main(int argc, char** argv) { return slidebench::run_program(argc, argv, slidebench::add_magics_command); }
