// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "harness/base/errors.hpp"
#include "harness/export/exporter.hpp"
#include "harness/export/flatten.hpp"
#include "harness/export/plain_code.hpp"

namespace slidebench {
namespace {

TEST(PlainTables, AccessorsBecomeIndexing) {
  EXPECT_EQ(with_plain_tables("sets.from(r.sets)[index(r, o)]"), "r.sets[index(r, o)]");
  EXPECT_EQ(with_plain_tables("sets.from(first + 2)[i]"), "(first + 2)[i]");
  EXPECT_EQ(with_plain_tables("sets.row(std::size_t{512} * s)[index(s)]"),
            "(sets.data + std::size_t{512} * s)[index(s)]");
  EXPECT_EQ(with_plain_tables("records.member(s, &SquareRecords<Record>::rook)"), "records[s].rook");
  EXPECT_EQ(with_plain_tables("a.from(b.member(f(s), &R::p))[1]"), "(b[f(s)].p)[1]");
  EXPECT_EQ(with_plain_tables("masks.load128(2 * s)"),
            "_mm_loadu_si128(reinterpret_cast<const __m128i*>(&masks.data[2 * s]))");
  EXPECT_EQ(with_plain_tables("masks.load_pair(4 * s)"), "vld1q_u64(&masks.data[4 * s])");
  EXPECT_EQ(with_plain_tables("orders.load512(64 * s)"), "_mm512_loadu_si512(&orders.data[64 * s])");
  EXPECT_EQ(with_plain_tables("Table<Lines, 64> table;"), "Array<Lines, 64> table;");
}

TEST(PlainTables, OtherCodeStays) {
  for (const char* code : {"move.to()", "table.data[i] = 1;", "x.members(1)", "from(1)"}) {
    EXPECT_EQ(with_plain_tables(code), code);
  }
}

TEST(Description, IsTakenOut) {
  EXPECT_EQ(
      without_description("struct A {\n  static constexpr MethodInfo info{.id = \"a\",\n      .year = 1};\n\n"
                          "  int x;\n\n public:\n  static constexpr std::array tables{table_info(\"t\", t)};\n};\n"),
      "struct A {\n  int x;\n};\n");
  EXPECT_EQ(without_description("inline constexpr Isa gather_isa = Isa::bmi2;\n\nint x;\n"), "int x;\n");
}

TEST(Flatten, EachHeaderOnceAfterThoseItIncludes) {
  const std::map<std::string, std::string, std::less<>> headers{
      {"a",
       "// SPDX-License-Identifier: MIT\n//\n// A.\n#pragma once\n\n#include <array>\n\n#include \"b\"\n#include "
       "\"c\"\n\nint a;\n"},
      {"b", "// B.\n#pragma once\n#include \"c\"\nint b;\n"},
      {"c", "// C.\n#pragma once\n#include <cstdint>\nint c;\n"}};
  const auto text_of = [&headers](std::string_view path) -> std::string_view { return headers.find(path)->second; };
  const FlatHeader flat = flatten("a", text_of);
  EXPECT_EQ(flat.standard, (std::set<std::string>{"array", "cstdint"}));
  EXPECT_EQ(flat.text, "// C.\nint c;\n\n// B.\nint b;\n\n// A.\n\nint a;\n\n");
}

TEST(Flatten, AConditionalIncludeStaysWhereItIs) {
  const FlatHeader flat = flatten("a", [](std::string_view) {
    return "#pragma once\n#ifdef __BMI2__\n#include <immintrin.h>\n#endif\n#include <array>\n";
  });
  EXPECT_EQ(flat.standard, std::set<std::string>{"array"});
  EXPECT_EQ(flat.text, "#ifdef __BMI2__\n#include <immintrin.h>\n#endif\n\n");
}

TEST(Exporter, RefusesWhatItHasNot) {
  EXPECT_THROW(export_method("nonesuch", {}), UserError);
  EXPECT_THROW(export_method("empty", {}), UserError);
  ExportOptions in_c;
  in_c.language = ExportLanguage::c11;
  EXPECT_THROW(export_method("ray_walk", in_c), UserError);
  ExportOptions keyword;
  keyword.name_space = "namespace";
  EXPECT_THROW(export_method("pext", keyword), UserError);
}

TEST(Exporter, EveryMethodHasAText) {
  EXPECT_GE(method_sources().size(), 40u);
  for (const MethodSource& method : method_sources()) {
    const std::string text = export_method(std::string(method.id), {});
    EXPECT_NE(text.find("inline Bitboard rook(Square s, "), std::string::npos) << method.id;
    EXPECT_EQ(text.find("Table<"), std::string::npos) << method.id;
  }
}

}  // namespace
}  // namespace slidebench
