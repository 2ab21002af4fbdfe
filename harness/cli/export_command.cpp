// SPDX-License-Identifier: MIT
//
// slidebench export: a method as a header of its own.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>

#include "harness/base/output_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/export/exporter.hpp"

namespace slidebench {
namespace {

struct ExportArguments {
  std::string method;
  std::string language = "c++17";
  std::string mapping = "a1";
  std::string out;
  std::string name_space = "sliding";
};

void run_export(const ExportArguments& arguments) {
  const ExportOptions options{.language = arguments.language == "c11" ? ExportLanguage::c11 : ExportLanguage::cpp17,
                              .name_space = arguments.name_space,
                              .mapping = arguments.mapping == "a8" ? SquareMapping::a8 : SquareMapping::a1};
  const std::string text = export_method(arguments.method, options);
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
  command->add_option("--language", arguments->language, "c++17, or c11 for the well-known methods")
      ->check(CLI::IsMember({"c++17", "c11"}))
      ->capture_default_str();
  command
      ->add_option("--namespace", arguments->name_space, "Namespace of the functions; in C the prefix of their names")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--square-mapping", arguments->mapping, "Which square is 0: a1 or a8")
      ->check(CLI::IsMember({"a1", "a8"}))
      ->capture_default_str();
  command->add_option("--out", arguments->out, "The file to write (default: standard output)")->type_name("FILE.h");
  command->footer(
      "The header has the tables or an init() that builds them, and bishop, rook, queen and both; inventor, source "
      "and\n"
      "licence stand at its top. It checks by #error that the compiler may use what the method needs.\n\n"
      "Example:\n  slidebench export magic_black --out attacks.h\n"
      "  slidebench export hyperbola --language c11 --namespace hq --out attacks.h");
  command->callback([arguments] { run_export(*arguments); });
}

}  // namespace slidebench
