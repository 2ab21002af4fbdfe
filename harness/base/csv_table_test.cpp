// SPDX-License-Identifier: MIT
#include "harness/base/csv_table.hpp"

#include <nlohmann/json.hpp>

#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

using enum CellKind;
using enum Need;

struct Animal {
  std::string name = "nobody";
  unsigned legs = 0;
  double metres = 0;
};

constexpr CsvTable animals{
    "animals.csv", "an animal",
    columns_of(
        std::array{Column<Animal>{"name", text, needed, "as it is called", [](const Animal& a) { return a.name; },
                                  [](Animal& a, const std::string& cell) { a.name = cell; }}},
        std::to_array<Column<Animal>>({
            {"legs", count, needed, "on which it stands", [](const Animal& a) { return std::to_string(a.legs); },
             [](Animal& a, const std::string& cell) { a.legs = whole_cell<unsigned>(cell); }},
            {"metres", positive, optional, "in length", [](const Animal& a) { return decimals(a.metres, 2); },
             [](Animal& a, const std::string& cell) { a.metres = required_number(cell); }},
            {"cm", positive, needed, "in length; not read back",
             [](const Animal& a) { return significant(100 * a.metres); }},
        }))};

TEST(CsvTable, ReadsWhatItWrites) {
  const std::string file = "name,legs,metres,cm\n\"cat, black\",4,0.50,50\n,2,3.00,300\n";
  EXPECT_EQ(animals.lines(std::vector<Animal>{{"cat, black", 4, 0.5}, {"", 2, 3}}), file);
  EXPECT_EQ(animals.lines(animals.read("", file)), file);
  EXPECT_EQ(animals.lines(std::vector<Animal>{}), "name,legs,metres,cm\n");
}

TEST(CsvTable, ReadsColumnsInAnyOrderAndOthersBetweenThem) {
  // An optional column that is not there is left as it is in a new row.
  EXPECT_EQ(animals.lines(animals.read("", "legs,colour,name\n4,black,cat\n")), "name,legs,metres,cm\ncat,4,0.00,0\n");
}

TEST(CsvTable, RefusesWhatIsNoSuchFile) {
  const std::pair<std::string, std::string> files[] = {
      {"name,metres,cm\ncat,1,100\n", "has no column legs"},
      {"name,legs\ncat,-4\n", "'-4' is no number that can stand there"},
      {"name,legs\ncat,4294967296\n", "'4294967296' is no number that can stand there"},
      {"name,legs,metres\ncat,4,\n", "a number is missing"},
      {"name,legs,metres\ncat,4,long\n", "'long' is no number"}};
  for (const auto& [file, said] : files) {
    EXPECT_EQ(test::complaint([&csv = file] { animals.read("animals.csv", csv); }), said);
  }
  for (const char* file : {"name,legs\ncat\n", "name,legs\ncat,4,5\n", ""}) EXPECT_ANY_THROW(animals.read("", file));
}

TEST(CsvTable, TellsItsColumns) {
  const nlohmann::json told = to_json({animals.describe()}).at("animals.csv");
  EXPECT_EQ(told.at("row"), "an animal");
  EXPECT_EQ(told.at("columns").size(), 4u);
  const nlohmann::json metres = {{"name", "metres"}, {"kind", "positive"}, {"needed", false}, {"meaning", "in length"}};
  EXPECT_EQ(told.at("columns").at(2), metres);
}

}  // namespace
}  // namespace slidebench
