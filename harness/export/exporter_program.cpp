// SPDX-License-Identifier: MIT
#include "harness/export/exporter_program.hpp"

#include <array>
#include <filesystem>
#include <functional>
#include <future>

#include "harness/base/child_process.hpp"
#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

std::string all_of(FileHandle& file) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; (n = read_some(file.get(), buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return text;
}

}  // namespace

std::string ask_exporter(const std::string& method, const ExportOptions& options) {
  const std::string program = (std::filesystem::path(own_file()).parent_path() / "slidebench-export").string();
  std::error_code error;
  if (!std::filesystem::exists(program, error)) {
    throw UserError(
        "export to C++ and C needs libclang, which this build has not: scripts/install_deps.sh --export, then build "
        "again");
  }
  ChildProcess child({.program = program, .arguments = words_of(method, options), .pipe_input = false});
  // Both at once: a full pipe of one would hold the end of the other.
  std::future<std::string> complaint = std::async(std::launch::async, all_of, std::ref(child.errors()));
  std::string text = all_of(child.output());
  const std::string said = complaint.get();
  if (child.wait() != 0) throw UserError(said.substr(0, said.find('\n')));
  return text;
}

}  // namespace slidebench
