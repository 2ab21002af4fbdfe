// SPDX-License-Identifier: MIT
#include "harness/lab/duel/dose_rehearsal.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "harness/base/errors.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/statistics/dose.hpp"

namespace slidebench::duel {
namespace {

constexpr const char* dose_variable = "SLIDEBENCH_DOSE=";
constexpr const char* count_variable = "SLIDEBENCH_DOSE_COUNT=";

/// A file in memory that another process of this user can write by its path: it needs no room on a disk, and ends with
/// its owner, however that ends.
class SharedPage {
 public:
  SharedPage() : file_(memfd_create("slidebench-dose", MFD_CLOEXEC)) {
    if (!file_) throw UserError("cannot make a file in memory: " + error_text(errno));
  }
  std::string path() const { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_.get()); }

 private:
  FileHandle file_;
};

/// What an engine reports when it ends.
struct Report {
  unsigned cycles = 0, instructions = 0, lines = 0;
  std::uint64_t queries = 0;
};

/// Runs an engine to its end, through a search of each position; adds up the nodes.
Report report_of(const EngineSpec& spec, const Conditions& conditions,
                 const std::vector<engine::PositionState>& positions, const std::atomic<bool>& stop,
                 std::uint64_t& nodes) {
  const SharedPage count;
  {
    UciEngine engine(spec, 0, conditions, count_variable + count.path(), stop);
    for (const engine::PositionState& position : positions) nodes += engine.search(position).nodes;
  }
  Report report;
  std::ifstream file(count.path());
  std::string program, version, word;
  file >> program >> version >> word >> report.cycles >> word >> report.instructions >> word >> report.lines >> word >>
      report.queries;
  if (!file || program != "slidebench_dose" || version != "1") {
    throw UserError("engine '" + spec.command +
                    "' reports no doses: build it with -DSLIDEBENCH_DOSE and slidebench_record.h's calls "
                    "(harness/record/README.md), and let it end by exit() when it is told to quit");
  }
  return report;
}

}  // namespace

std::vector<EngineSpec> dosed_engines(const EngineSpec& spec) {
  std::vector<EngineSpec> engines;
  for (const Dose& dose : usual_doses()) {
    EngineSpec dosed = spec;
    dosed.name = to_string(dose);
    dosed.environment.push_back(dose_variable + (dose.kind.empty() ? "cycles=0" : to_string(dose)));
    engines.push_back(std::move(dosed));
  }
  return engines;
}

void check_doses(const std::vector<EngineSpec>& engines, const Conditions& conditions, const std::atomic<bool>& stop) {
  const std::vector<Dose> doses = usual_doses();
  for (std::size_t i = 0; i < engines.size(); ++i) {
    std::uint64_t nodes = 0;
    const Report report = report_of(engines[i], conditions, {}, stop, nodes);
    const Dose& dose = doses.at(i);
    const auto amount_of = [&dose](const char* kind) { return dose.kind == kind ? dose.amount : 0; };
    if (report.cycles == amount_of("cycles") && report.instructions == amount_of("instructions") &&
        report.lines == amount_of("lines"))
      continue;
    throw UserError("engine '" + engines[i].command + "' was told the dose " + to_string(dose) +
                    " and runs with another: is it started by a script that changes its environment?");
  }
}

double queries_per_node(const EngineSpec& spec, const Conditions& conditions,
                        const std::vector<engine::PositionState>& positions, const std::atomic<bool>& stop) {
  std::uint64_t nodes = 0;
  const std::uint64_t before = report_of(spec, conditions, {}, stop, nodes).queries;
  nodes = 0;
  const std::uint64_t after = report_of(spec, conditions, positions, stop, nodes).queries;
  if (after <= before)
    throw UserError("engine '" + spec.command +
                    "' asks for no attacks in its searches: are the header's calls where "
                    "attacks are looked up?");
  return static_cast<double>(after - before) / static_cast<double>(nodes);
}

}  // namespace slidebench::duel
