// SPDX-License-Identifier: MIT
//
// slidebench new-method: a project outside the tree to start a method in.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/commands.hpp"
#include "new_method_texts.hpp"  // of new_method_texts.hpp.in

namespace slidebench {
namespace {

namespace fs = std::filesystem;

void check_id(const std::string& id) {
  const bool good = !id.empty() && std::islower(static_cast<unsigned char>(id[0])) != 0 &&
                    std::all_of(id.begin(), id.end(), [](char c) {
                      return std::islower(static_cast<unsigned char>(c)) != 0 ||
                             std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_';
                    });
  if (!good) throw UserError("'" + id + "' is no name for a method; write lower-case letters, digits and _: my_rays");
  if ((" " + std::string(all_method_ids) + " ").find(" " + id + " ") != std::string::npos) {
    throw UserError("there is a method '" + id + "' already; take another name");
  }
}

/// "MyRays" for "my_rays".
std::string type_of(const std::string& id) {
  std::string type;
  bool first = true;
  for (const char c : id) {
    if (c != '_') type += first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    first = c == '_';
  }
  return type;
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
    text.replace(at, old.size(), by);
  }
  return text;
}

std::string filled(const char* text, const std::string& id) {
  return replaced(replaced(text, "@ID@", id), "@TYPE@", type_of(id));
}

/// Where find_package() finds this program's package: of an installation, or of the build tree.
fs::path package_folder() {
  const fs::path beside = fs::path(own_file()).parent_path();
  const fs::path installed = beside.parent_path() / "lib" / "cmake" / "slidebench";
  std::error_code error;
  return fs::exists(beside / "slidebenchConfig.cmake", error) ? beside : installed;
}

void write_project(const std::string& id) {
  check_id(id);
  const fs::path folder = id;
  std::error_code error;
  if (!fs::create_directory(folder, error)) {
    throw UserError("cannot make the folder " + id + ": " + (error ? error.message() : "there is one already"));
  }
  write_file(folder / "CMakeLists.txt", filled(new_method_cmake, id));
  write_file(folder / (id + ".hpp"), filled(new_method_header, id));
  std::printf(
      "%s/%s.hpp is the method, by ray walking for now. To build, check and measure it:\n\n"
      "  cmake -S %s -B %s/build -Dslidebench_DIR=%s\n"
      "  cmake --build %s/build\n"
      "  slidebench verify --plugin %s/build/plugins --method %s\n"
      "  slidebench trace random --out random.trace    # or of games: slidebench trace build --out game.trace "
      "GAMES.pgn\n"
      "  slidebench run --trace random.trace --plugin %s/build/plugins --method %s --method magic_fancy --out %s_run\n",
      id.c_str(), id.c_str(), id.c_str(), id.c_str(), package_folder().c_str(), id.c_str(), id.c_str(), id.c_str(),
      id.c_str(), id.c_str(), id.c_str());
}

}  // namespace

void add_new_method_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("new-method", "Writes a project for a method of your own");
  auto id = std::make_shared<std::string>();
  command->add_option("NAME", *id, "The method's id, and the folder to make")->required();
  command->footer(
      "The folder has a header to start from, and a CMakeLists.txt that builds it as a plug-in. Nothing that is there\n"
      "already is overwritten.\n\n"
      "Example:\n  slidebench new-method my_rays");
  command->callback([id] { write_project(*id); });
}

}  // namespace slidebench
