// SPDX-License-Identifier: MIT
//
// slidebench export: a method as a header of its own.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/base/output_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/export/exporter_program.hpp"
#include "harness/export/rust.hpp"

namespace slidebench {
namespace {

struct ExportArguments {
  std::string method;
  std::string language = "c++17";
  std::string mapping = "a1";
  std::string level;
  std::string out;
  std::string name_space = "sliding";
  std::vector<std::string> with;
};

std::string exported(const ExportArguments& arguments) {
  const auto has = [&arguments](const char* what) {
    return std::find(arguments.with.begin(), arguments.with.end(), what) != arguments.with.end();
  };
  const bool is_plain = arguments.with.empty() && arguments.level.empty();
  if (arguments.language != "c++17" && !is_plain) throw UserError("--with and --level are for --language c++17 alone");
  if (arguments.language == "rust" && arguments.mapping == "a8")
    throw UserError("--square-mapping a8 is for c++17 and c11; in Rust a1 is 0");
  if (arguments.language == "rust") return export_rust(arguments.method, arguments.name_space);
  return ask_exporter(arguments.method,
                      {.language = arguments.language == "c11" ? ExportLanguage::c11 : ExportLanguage::cpp17,
                       .name_space = arguments.name_space,
                       .mapping = arguments.mapping == "a8" ? SquareMapping::a8 : SquareMapping::a1,
                       .level = arguments.level,
                       .set_attacks = has("set_attacks"),
                       .batch = has("batch")});
}

void run_export(const ExportArguments& arguments) {
  const std::string text = exported(arguments);
  if (arguments.out.empty()) {
    std::cout << text;
    return;
  }
  OutputFile file(arguments.out);
  file.append(text.data(), text.size());
  file.commit();
}

}  // namespace

void add_export_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("export", "Writes a method as one header that needs nothing else");
  auto arguments = std::make_shared<ExportArguments>();
  command->add_option("METHOD", arguments->method, "A method's id")->required();
  command->add_option("--language", arguments->language, "c++17, or c11 or rust for the well-known methods")
      ->check(CLI::IsMember({"c++17", "c11", "rust"}))
      ->capture_default_str();
  command
      ->add_option("--namespace", arguments->name_space,
                   "Namespace of the functions; in C the prefix of their names, in Rust the module")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--square-mapping", arguments->mapping, "Which square is 0: a1 or a8")
      ->check(CLI::IsMember({"a1", "a8"}))
      ->capture_default_str();
  command->add_option("--with", arguments->with, "What else is asked for: set_attacks, batch, or both with a comma")
      ->delimiter(',')
      ->check(CLI::IsMember({"set_attacks", "batch"}));
  command
      ->add_option("--level", arguments->level, "Level of instructions to write for (default: the lowest that will do)")
      ->check(CLI::IsMember({"v1", "v2", "v3", "v4", "a64", "sve2", "sve2-bitperm", "simd128"}));
  command->add_option("--out", arguments->out, "The file to write (default: standard output)")->type_name("FILE.h");
  command->footer(
      "The header has bishop, rook, queen and both, and what they need; inventor, source and licence stand at its top. "
      "It\n"
      "checks by #error that the compiler may use what the method needs.\n\n"
      "Example:\n  slidebench export magic_black --out attacks.h\n"
      "  slidebench export hyperbola --language c11 --namespace hq --out attacks.h");
  command->callback([arguments] { run_export(*arguments); });
}

}  // namespace slidebench
