// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "harness/base/errors.hpp"
#include "harness/export/exporter.hpp"
#include "harness/export/front_end.hpp"
#include "harness/export/layout.hpp"
#include "harness/export/plain_code.hpp"
#include "harness/export/selection.hpp"
#include "harness/export/sources.hpp"

namespace slidebench {
namespace {

/// Names, "::", and single other characters, as the front end would give them.
std::vector<Token> tokens_of(const std::string& code) {
  std::vector<Token> tokens;
  std::string space;
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < code.size();) {
    if (code[i] == ' ') {
      space += code[i++];
      continue;
    }
    std::size_t end = i;
    while (end < code.size() && is_name(code[end])) ++end;
    const bool name = end > i;
    if (!name) end = i + (code.compare(i, 2, "::") == 0 ? 2 : 1);
    tokens.push_back({space, code.substr(i, end - i), name ? Token::Kind::name : Token::Kind::other, i});
    space.clear();
    i = end;
  }
  tokens.push_back({space, "", Token::Kind::other, code.size()});
  return tokens;
}

std::string plain(const std::string& code) { return text_of(with_plain_tables(tokens_of(code))); }

TEST(PlainTables, AccessorsBecomeIndexing) {
  EXPECT_EQ(plain("sets.from(r.sets)[index(r, o)]"), "r.sets[index(r, o)]");
  EXPECT_EQ(plain("sets.from(first + 2)[i]"), "(first + 2)[i]");
  EXPECT_EQ(plain("sets.row(std::size_t{512} * s)[index(s)]"), "(sets.data() + std::size_t{512} * s)[index(s)]");
  EXPECT_EQ(plain("records.member(s, &SquareRecords<Record>::rook)"), "records[s].rook");
  EXPECT_EQ(plain("a.from(b.member(f(s), &R::p))[1]"), "b[f(s)].p[1]");
  EXPECT_EQ(plain("masks.load128(2 * s)"), "load128(&masks[2 * s])");
  EXPECT_EQ(plain("return masks[s].sets.load512(64 * s);"), "return load512(&masks[s].sets[64 * s]);");
  EXPECT_EQ(plain("table.data[i] = next.data + 1;"), "table[i] = next.data() + 1;");
  EXPECT_EQ(plain("Table<Lines, 64> table;"), "std::array<Lines, 64> table{};");
  EXPECT_EQ(plain("static inline Table<Lines, 64> table;"), "static inline std::array<Lines, 64> table;");
}

TEST(PlainTables, OtherCodeStays) {
  for (const char* code : {"move.to()", "x.members(1)", "from(1)", "table.data()"}) EXPECT_EQ(plain(code), code);
}

TEST(Scopes, NamesLoseThem) {
  EXPECT_EQ(text_of(without_scopes(tokens_of("f(magic::Piece::rook, std::x)"), {"magic"}, {})),
            "f(Piece::rook, std::x)");
  EXPECT_EQ(text_of(without_scopes(tokens_of("return reference::rook(s);"), {"reference"},
                                   {{"reference::rook", "reference_rook"}})),
            "return reference_rook(s);");
}

TEST(Layout, WhatFitsOnOneLineStandsOnOne) {
  EXPECT_EQ(laid_out("int f(int a) {\n  return a +\n         1;\n}\n"), "int f(int a) { return a + 1; }\n");
  EXPECT_EQ(laid_out("struct A {\n  int a;\n  int b;\n};\n"), "struct A { int a; int b; };\n");
  EXPECT_EQ(laid_out("/// One.\nint a = 1;\n"), "int a = 1;  ///< One.\n");
}

TEST(Layout, WhatWouldHideSomethingStays) {
  for (const char* code : {"struct A {\n  int a;  ///< one\n};\n", "int f() {\n  g();\n  return 1;\n}\n"})
    EXPECT_EQ(laid_out(code), code);
}

TEST(Layout, ConstantsOfOneTypeShareALine) {
  EXPECT_EQ(laid_out("{\n  const int a = f(1);\n  const int b = a;\n  const int& c = b;\n}\n"),
            "{\n  const int a = f(1), b = a;\n  const int& c = b;\n}\n");
}

TEST(Layout, NumbersFillTheirRows) {
  EXPECT_EQ(laid_out("int a[3] = {\n    0x0001, 0x0203,\n    0x0000,\n};\n"), "int a[3] = { 0x1, 0x203, 0x0, };\n");
  std::string rows;
  for (int i = 0; i < 12; ++i) rows += "    0x000123456789ABCD,\n";
  const std::string text = laid_out("int a[12] = {\n" + rows + "};\n");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST(Selection, HoldsWhatIsReachedAndNothingElse) {
  const MethodSource method{"hyperbola", "methods/calculation/hyperbola.hpp", "Hyperbola"};
  const FrontEndResult read = read_method(method, "");
  EXPECT_EQ(read.level, "v1");
  const Selection selection = select(read, "Hyperbola", {"rook"});
  std::vector<std::string> names;
  for (const Declaration* declaration : selection.order) names.push_back(declaration->name);
  const auto stands = [&names](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  for (const char* name : {"Bitboard", "masks", "line_attacks", "rank_attacks"}) EXPECT_TRUE(stands(name)) << name;
  for (const char* name : {"bishop", "batch", "info", "first_rank_attacks", "SliderBatch"})
    EXPECT_FALSE(stands(name)) << name;
  EXPECT_EQ(names.back(), "rook");
}

TEST(Exporter, RefusesWhatItHasNot) {
  EXPECT_THROW(export_method("nonesuch", {}), UserError);
  EXPECT_THROW(export_method("empty", {}), UserError);
  EXPECT_THROW(export_method("ray_walk", {.language = ExportLanguage::c11}), UserError);
  EXPECT_THROW(export_method("pext", {.name_space = "namespace"}), UserError);
  EXPECT_THROW(export_method("pext", {.level = "v1"}), UserError);
}

/// test_export.py has all that this machine builds.
TEST(Exporter, MethodsOfOtherProcessorsHaveATextToo) {
  for (const char* id : {"hyperbola_neon", "kogge_stone_sve2", "ray_masks_simd128"}) {
    const std::string text = export_method(id, {});
    EXPECT_NE(text.find(" rook(Square s, "), std::string::npos) << id;
    EXPECT_EQ(text.find("Table<"), std::string::npos) << id;
  }
}

TEST(Options, WordsTellThemAgain) {
  const ExportOptions options{.language = ExportLanguage::c11, .name_space = "hq", .level = "v3", .batch = true};
  EXPECT_EQ(words_of("pext", options_of(words_of("pext", options)).value()), words_of("pext", options));
  EXPECT_FALSE(options_of({"pext"}));
  EXPECT_FALSE(options_of({"pext", "ada", "hq", "a1", "", "", ""}));
}

}  // namespace
}  // namespace slidebench
