// SPDX-License-Identifier: MIT
//
// The columns of a CSV file, each said once: its name, what it means, and how its cell is written and read. The files
// are written and read by such tables, and `slidebench help columns` prints them: for people, for the documents and
// for the report.
#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/csv.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"

namespace slidebench {

/// What a column holds. A number that was not measured is an empty cell, never 0.
enum class CellKind {
  text,
  any,       ///< number
  positive,  ///< number above 0
  count      ///< number not below 0
};

/// Whether a report is refused without the column.
enum class Need { needed, optional };

/// A column, for those who do not write it.
struct ColumnText {
  std::string name;
  CellKind kind;
  Need need;
  std::string meaning;
};

/// A file's columns, for those who do not write it.
struct TableText {
  std::string file;
  std::string row_meaning;  ///< what a row is
  std::vector<ColumnText> columns;
};

/// Tables as JSON: by file, what a row is and the columns in order, each with its name, kind, need and meaning.
nlohmann::json to_json(const std::vector<TableText>& tables);

template <class Row>
struct Column {
  const char* name;  ///< as the file's first line has it; numbers carry their unit
  CellKind kind;
  Need need;
  const char* meaning;                                    ///< for a reader, in a few words
  std::string (*write)(const Row&);                       ///< the cell of a row, not yet quoted
  void (*read)(Row&, const std::string& cell) = nullptr;  ///< nothing where the program does not read it back
};

/// One file.
template <class Row, std::size_t n>
struct CsvTable {
  const char* file;
  const char* row_meaning;  ///< what a row is
  std::array<Column<Row>, n> columns;

  /// The first line, without its end.
  std::string header() const {
    return joined(columns, ",", [](const Column<Row>& column) { return std::string(column.name); });
  }

  /// The line of a row, without its end.
  std::string line(const Row& row) const {
    return joined(columns, ",", [&row](const Column<Row>& column) { return csv_cell(column.write(row)); });
  }

  /// The whole file.
  template <class Rows>
  std::string lines(const Rows& rows) const {
    std::string all = header() + "\n";
    for (const Row& row : rows) all += line(row) + "\n";
    return all;
  }

  /// The rows of a file, whose columns may stand in any order, with others between them; a column that is not there
  /// is left as it is in a new row. Throws UserError, or what the library throws, for what is no such file.
  /// @param name  of the file, for what is wrong with it
  std::vector<Row> read(const std::string& name, const std::string& text) const {
    CsvReader<n> csv(name, text.data(), text.data() + text.size());
    std::apply(
        [&csv](const auto&... column) {
          csv.read_header(io::ignore_extra_column | io::ignore_missing_column, column.name...);
        },
        columns);
    for (const Column<Row>& column : columns) {
      if (column.read != nullptr && column.need == Need::needed && !csv.has_column(column.name))
        throw UserError("has no column " + std::string(column.name));
    }
    std::vector<Row> rows;
    std::array<std::string, n> cells;
    while (std::apply([&csv](auto&... cell) { return csv.read_row(cell...); }, cells)) {
      Row& row = rows.emplace_back();
      for (std::size_t i = 0; i < n; ++i) {
        if (columns[i].read != nullptr && csv.has_column(columns[i].name)) columns[i].read(row, cells[i]);
      }
    }
    return rows;
  }

  TableText describe() const {
    TableText table{file, row_meaning, {}};
    for (const Column<Row>& c : columns) table.columns.push_back({c.name, c.kind, c.need, c.meaning});
    return table;
  }
};
template <class Row, std::size_t n>
CsvTable(const char*, const char*, std::array<Column<Row>, n>) -> CsvTable<Row, n>;

/// Columns behind one another.
template <class Row, std::size_t... n>
constexpr auto columns_of(const std::array<Column<Row>, n>&... parts) {
  return std::apply([](const auto&... column) { return std::array{column...}; }, std::tuple_cat(parts...));
}

/// The whole cell as a number: from_chars alone takes a minus, "nan" and "inf", and stops at what it does not know.
/// Throws UserError for what is no number, or is below 0.
template <class Number, class... Format>
Number whole_cell(std::string_view cell, Format... format) {
  const std::optional<Number> number = cell.starts_with('-') ? std::nullopt : parse_number<Number>(cell, format...);
  if (!number) throw UserError("'" + std::string(cell) + "' is no number that can stand there");
  return *number;
}

/// A column of a row's member: a text, or a whole number.
template <class Row, auto member>
constexpr Column<Row> text_column(const char* name, const char* meaning) {
  Column<Row> column{name, CellKind::text, Need::needed, meaning, [](const Row& row) { return row.*member; }};
  column.read = [](Row& row, const std::string& cell) { row.*member = cell; };
  return column;
}
template <class Row, auto member>
constexpr Column<Row> whole_column(const char* name, Need need, CellKind kind, const char* meaning) {
  using Number = std::remove_cvref_t<decltype(std::declval<Row>().*member)>;
  Column<Row> column{name, kind, need, meaning, [](const Row& row) { return std::to_string(row.*member); }};
  column.read = [](Row& row, const std::string& cell) { row.*member = whole_cell<Number>(cell); };
  return column;
}

/// A cell as a number; an empty one is absent. Throws UserError for what is no number.
std::optional<double> number_from(const std::string& cell);

/// The same where it must be there.
double required_number(const std::string& cell);

}  // namespace slidebench
