// SPDX-License-Identifier: MIT
//
// Where a row comes from, so that the files of many runs can be put into one table.
#pragma once

#include <array>
#include <string>

#include "harness/base/csv_table.hpp"

namespace slidebench {

struct RunTag {
  std::string machine, commit, run;
};

/// @tparam Row  has a member `tag`
template <class Row>
constexpr std::array<Column<Row>, 3> tag_columns() {
  using enum CellKind;
  using enum Need;
  return {
      {{"machine", text, optional, "its CPU: vendor, family, model", [](const Row& row) { return row.tag.machine; }},
       {"commit", text, optional, "of the program", [](const Row& row) { return row.tag.commit; }},
       {"run", text, optional, "when it started, UTC", [](const Row& row) { return row.tag.run; }}}};
}

}  // namespace slidebench
