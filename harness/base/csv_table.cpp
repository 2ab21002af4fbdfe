// SPDX-License-Identifier: MIT
#include "harness/base/csv_table.hpp"

#include <nlohmann/json.hpp>

#include "harness/base/enum_names.hpp"

namespace slidebench {
namespace {

constexpr EnumName<CellKind> kind_names[] = {
    {CellKind::text, "text"}, {CellKind::any, "any"}, {CellKind::positive, "positive"}, {CellKind::count, "count"}};

}  // namespace

nlohmann::json to_json(const std::vector<TableText>& tables) {
  nlohmann::json all = nlohmann::json::object();
  for (const TableText& table : tables) {
    nlohmann::json columns = nlohmann::json::array();
    for (const ColumnText& column : table.columns) {
      columns.push_back({{"name", column.name},
                         {"kind", name_in(kind_names, column.kind)},
                         {"needed", column.need == Need::needed},
                         {"meaning", column.meaning}});
    }
    all[table.file] = {{"row", table.row_meaning}, {"columns", columns}};
  }
  return all;
}

std::optional<double> number_from(const std::string& cell) {
  if (cell.empty()) return std::nullopt;
  const std::optional<double> value = parse_number<double>(cell);
  if (!value) throw UserError("'" + cell + "' is no number");
  return value;
}

double required_number(const std::string& cell) {
  const std::optional<double> value = number_from(cell);
  if (!value) throw UserError("a number is missing");
  return *value;
}

}  // namespace slidebench
