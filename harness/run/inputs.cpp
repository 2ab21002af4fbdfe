// SPDX-License-Identifier: MIT
#include "harness/run/inputs.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>

#include "harness/base/errors.hpp"
#include "harness/import/log_import.hpp"
#include "harness/run/journal.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A trace that was given a name has that; the others are called what they are.
std::string usual_name(const json& provenance, const std::string& path) {
  const std::string name = provenance.value("name", "");
  return is_trace_name(name) ? name : provenance.value("kind", fs::path(path).stem().string());
}

void append_trace(const std::string& path, std::vector<RunTrace>& traces) {
  const Trace trace = Trace::open(path);
  const json& provenance = trace.provenance();
  const std::string usual = usual_name(provenance, path);
  std::string name = usual;
  const auto has_it = [&name](const RunTrace& other) { return other.named.name == name; };
  for (int i = 2; std::ranges::any_of(traces, has_it); ++i) name = usual + std::to_string(i);
  traces.push_back({{name, fs::absolute(path).string()},
                    {{"name", name},
                     {"file", fs::path(path).filename().string()},
                     {"xxh3", trace.digest_hex()},
                     {"nodes", trace.nodes()},
                     {"queries", trace.queries()},
                     {"provenance", provenance}},
                    provenance.value("kind", "") == "random",
                    trace.has_sliders(),
                    trace.has_pieces()});
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_ || ::flock(folder_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw UserError("another process is writing into " + folder.string() + "; wait for it, or give another folder");
}

void check_folder(const fs::path& out, const std::string& marker) {
  std::error_code error;
  if (fs::exists(out, error) && !fs::is_directory(out, error)) {
    throw UserError("cannot make the folder " + out.string() + ": it is a file");
  }
  if (RunJournal::is_in(out)) {
    throw UserError(out.string() +
                    " holds a run or duel that is not finished; go on with it by --resume, or give another --out");
  }
  if (fs::exists(out / marker, error)) {
    throw UserError(out.string() + " holds a run already; give another --out, or remove it");
  }
  for (const char* name : {"README.md", "answer.json", "run.json", "summary.csv"})
    if (fs::exists(out / name, error))
      throw UserError((out / name).string() + " is there and would be replaced; give a new folder by --out");
}

FolderLock prepare_folder(const fs::path& out, const std::string& marker) {
  check_folder(out, marker);
  std::error_code error;
  fs::create_directories(out, error);
  if (!fs::is_directory(out)) {
    throw UserError("cannot make the folder " + out.string() + ": " + (error ? error.message() : "it is a file"));
  }
  FolderLock lock(out);
  check_folder(out, marker);  // another process may have begun and ended in between
  return lock;
}

std::vector<RunTrace> open_traces(const std::vector<std::string>& paths) {
  if (paths.empty())
    throw UserError("nothing to replay: give --trace; slidebench trace build --help says how to make one");
  std::vector<RunTrace> traces;
  for (const std::string& path : paths) append_trace(path, traces);
  return traces;
}

}  // namespace slidebench
