// SPDX-License-Identifier: MIT
//
// A run's folder, as `slidebench show` reads it: run.json, then a line "=== summary.csv", then that file.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/answer/answer.hpp"
#include "harness/answer/answer_text.hpp"
#include "harness/answer/ranking.hpp"
#include "harness/answer/run_folder.hpp"
#include "harness/fuzz/fuzz_input.hpp"

namespace {

namespace fs = std::filesystem;
using namespace slidebench;

constexpr std::string_view border = "\n=== summary.csv\n";

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
  const Answer answer = make_answer(run.rows, run.record);
  fuzz::require(answer_json(run, answer).is_object());
  answer_text(run, answer, Ink(false), 100);
  ranking_text(run.rows);
  correlations_text(run.correlations, run.reliabilities);
  checks_text(run.checks);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string text = fuzz::text_of(data, size);
  const std::size_t at = text.find(border);
  folder.put("run.json", std::string_view(text).substr(0, at));
  folder.put("summary.csv", at == std::string::npos ? "" : std::string_view(text).substr(at + border.size()));
  try {
    show(folder.path());
  } catch (const std::exception&) {  // the program prints it in one line
  }
  return 0;
}
