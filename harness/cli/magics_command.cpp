// SPDX-License-Identifier: MIT
//
// slidebench magics: searches the magic factors that the magic methods use.
#include <iostream>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/magic_search.hpp"
#include "harness/cli/text_output.hpp"

namespace slidebench {

void add_magics_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("magics", "Searches magic factors");
  command->require_subcommand(1);
  CLI::App* find = command->add_subcommand("find", "Searches the factors of fancy and plain magic; prints a header");
  auto seed = std::make_shared<std::uint64_t>(1);
  auto out = std::make_shared<std::string>();
  find->add_option("--seed", *seed, "Seed of the search")->capture_default_str();
  find->add_option("--out", *out, "File to write (default: standard output)")->type_name("FILE");
  find->footer("Example:\n  slidebench magics find --seed 1 --out methods/magic/magic_factors.hpp");
  find->callback([seed, out] {
    const std::string text = magic_factors_header(find_magic_factors(*seed), *seed);
    if (out->empty()) {
      std::cout << text;
    } else {
      write_file(*out, text);
    }
  });
}

}  // namespace slidebench
