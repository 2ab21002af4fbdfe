// SPDX-License-Identifier: MIT
//
// A run's folder, as `slidebench show` reads it: run.json, then a line "=== summary.csv", then that file, and after a
// line
// "=== process_runs.csv" that one, from which other references follow.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/answer/answer_text.hpp"
#include "harness/answer/ranking.hpp"
#include "harness/fuzz/fuzz_input.hpp"

namespace {

namespace fs = std::filesystem;
using namespace slidebench;

constexpr std::string_view summary_border = "\n=== summary.csv\n", process_runs_border = "\n=== process_runs.csv\n";

/// A folder in memory for this process.
class Folder {
 public:
  Folder() { fs::create_directories(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  const fs::path& path() const { return path_; }
  void put(const char* name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }

 private:
  fs::path path_ = "/dev/shm/slidebench-fuzz-" + std::to_string(getpid());
};

void show(const fs::path& path) {
  const RunFolder run = read_run_folder(path);
  for (const std::string& reference : {usual_reference(run), std::string("pext")}) {
    fuzz::require(answer_json(run, reference).is_object());
    answer_text(run, {.reference = reference, .details = true}, Ink(false), 100);
    ranking_text(rows_against(run, reference));
  }
  correlations_text(run.correlations, run.reliabilities);
  checks_text(run.checks);
}

/// Cuts a text at a border; what comes after it, empty without one.
std::string_view cut(std::string_view& text, std::string_view border) {
  const std::size_t at = text.find(border);
  if (at == std::string_view::npos) return {};
  const std::string_view after = text.substr(at + border.size());
  text = text.substr(0, at);
  return after;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string text = fuzz::text_of(data, size);
  std::string_view record = text;
  std::string_view summary = cut(record, summary_border);
  const std::string_view process_runs = cut(summary, process_runs_border);
  folder.put("run.json", record);
  folder.put("summary.csv", summary);
  folder.put("process_runs.csv", process_runs);
  try {
    show(folder.path());
  } catch (const std::exception&) {  // the program prints it in one line
  }
  return 0;
}
