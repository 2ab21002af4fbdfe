// SPDX-License-Identifier: MIT
//
// From PGN to trace, through the real pgn-extract.
#include "harness/import/game_trace.hpp"

#include <fcntl.h>

#include <random>

#include "harness/chess/squares.hpp"
#include "harness/import/pgn_output.hpp"
#include "harness/trace/reader.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench::test {
namespace {

const std::string two_games =
    "[Event \"A\"]\n[White \"Alpha\"]\n[Black \"Beta\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n"
    "[Event \"B\"]\n[White \"Gamma\"]\n[Black \"Delta\"]\n[Result \"*\"]\n\n1. d4 {comment} (1. c4 e5) d5 $1 *\n\n";

const std::string illegal_game =
    "[Event \"C\"]\n[White \"Bad\"]\n[Black \"Worse\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke4 Nc6 1-0\n\n";

std::string many_games() {
  std::string pgn;
  for (int i = 0; i < 20'000; ++i) pgn += two_games;
  return pgn;
}

using Texts = std::vector<std::string>;

/// The queries of each node, in their order, as text like " bc1 ra1".
Texts queries_of(const TraceBlock& block) {
  Texts nodes(block.nodes);
  for_each_query(block, [&nodes](std::uint32_t node, QueryKind kind, Square square) {
    nodes[node] += std::string(" ") + "brqx"[static_cast<std::size_t>(kind)] + square_name(square);
  });
  return nodes;
}

class GameTrace : public ::testing::Test {
 protected:
  BuildReport build(const std::vector<std::string>& inputs, const GameTraceOptions& options = {}) {
    return build_game_trace(inputs, out_, options);
  }

  BuildReport build_text(const std::string& pgn, const GameTraceOptions& options = {}) {
    write_file(folder_ / "in.pgn", pgn);
    return build({folder_ / "in.pgn"}, options);
  }

  /// Compresses in.pgn by a program of the system; "" if that is not installed.
  std::string compress(const std::string& command, const std::string& name) {
    const std::string line = command + " < '" + (folder_ / "in.pgn") + "' > '" + (folder_ / name) + "' 2>/dev/null";
    return std::system(line.c_str()) == 0 ? folder_ / name : "";
  }

  void expect_refused(const std::vector<std::string>& inputs, const std::string& part) {
    expect_complaint(part, [&] { build(inputs); });
    EXPECT_FALSE(std::filesystem::exists(out_));
    EXPECT_FALSE(std::filesystem::exists(out_ + ".partial"));
  }

  TempFolder folder_;
  const std::string out_ = folder_ / "out.trace";
};

TEST_F(GameTrace, queries_in_order) {
  const BuildReport report = build_text(
      "[White \"A\"]\n[Black \"B\"]\n[SetUp \"1\"]\n[FEN \"3bk2r/8/8/3b4/8/8/1P6/R2QK2R w KQk - 0 1\"]\n\n"
      "1. O-O Bg2 2. Kxg2 *\n");
  EXPECT_EQ(report.games, 1u);
  EXPECT_EQ(report.nodes, 4u);
  const Trace trace = Trace::open(out_);
  const TraceBlock& block = trace.blocks()[0];
  EXPECT_EQ(queries_of(block),
            (Texts{" ra1 rh1 qd1 xe8 xg1", " bd5 bd8 rh8 xg1 xg2", " ra1 rf1 qd1 xe8 xg2", " bd8 rh8 xg2"}));
  constexpr NodeTag root = 0, moved = 1 | moved_flag, evaluated = moved | evaluated_flag;
  EXPECT_EQ(std::vector<NodeTag>(block.tags, block.tags + 4),
            (std::vector<NodeTag>{root, evaluated, moved, evaluated}));
  EXPECT_EQ(kind_of(block.moves[0]), MoveKind::castling);
  EXPECT_EQ(block.occupied[0] ^ block.occupied[1], bit(4) | bit(5) | bit(6) | bit(7));
  EXPECT_EQ(block.sliders[0].white_orthogonal, bit(0) | bit(3) | bit(7));
  EXPECT_EQ(block.sliders[0].black_diagonal, bit(35) | bit(59));
}

TEST_F(GameTrace, all_queries) {
  build_text("[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n", {.queries = QueryRecipe::all, .games_limit = 0});
  const Trace trace = Trace::open(out_);
  EXPECT_EQ(queries_of(trace.blocks()[0]), Texts(2, " bc1 bf1 bc8 bf8 ra1 rh1 ra8 rh8 qd1 qd8"));
  EXPECT_EQ(trace.provenance().at("queries"), "all");
}

TEST_F(GameTrace, provenance_and_progress) {
  write_file(folder_ / "in.pgn", two_games);
  std::uint64_t games = 0, read = 0, total = 0;
  const ProgressFn note = [&](std::uint64_t g, std::uint64_t r, std::uint64_t t) { games = g, read = r, total = t; };
  build_game_trace({folder_ / "in.pgn"}, out_, {}, note);
  EXPECT_EQ(games, 2u);
  EXPECT_EQ(read, two_games.size());
  EXPECT_EQ(total, two_games.size());
  const Trace trace = Trace::open(out_);
  const auto& provenance = trace.provenance();
  EXPECT_EQ(provenance.at("kind"), "game");
  EXPECT_EQ(provenance.at("games"), 2);
  EXPECT_EQ(provenance.at("plies"), 6);
  EXPECT_EQ(provenance.at("rejected"), 0);
  EXPECT_EQ(provenance.at("recipe"), "slidebench trace build --kind game in.pgn");
  EXPECT_EQ(provenance.at("sources").at(0).at("sha256").get<std::string>().size(), 64u);
  EXPECT_TRUE(provenance.at("seed").is_null());
}

TEST_F(GameTrace, compressed_sources_hold_the_same_games) {
  build_text(two_games);
  const std::uint64_t nodes = Trace::open(out_).nodes();
  int formats = 0;
  for (const std::string program : {"gzip", "zstd", "bzip2", "xz"}) {
    const std::string file = compress(program + " -c", "in." + program + ".renamed");
    if (file.empty()) continue;
    ++formats;
    const BuildReport report = build({file});
    EXPECT_EQ(report.games, 2u) << program;
    EXPECT_EQ(report.nodes, nodes) << program;
  }
  EXPECT_GE(formats, 1);
}

TEST_F(GameTrace, half_illegal) {
  write_file(folder_ / "good.pgn", two_games);
  write_file(folder_ / "in.pgn",
             illegal_game + "[White \"Z\"]\n[Black \"Z\"]\n[Result \"*\"]\n\n*\n\n" +                   // empty
                 "[White \"N\"]\n[Black \"N\"]\n\n1. e4 -- 2. d4 *\n\n" +                               // null move
                 "[White \"K\"]\n[Black \"L\"]\n[FEN \"8/8/8/8/8/8/k6K w - - 0 1\"]\n\n1. Kg1 *\n\n" +  // bad FEN
                 two_games + "[White \"Cut\"]\n[Black \"Off\"]\n\n1. e4 e5 2. Nf3\n");                  // no result
  const BuildReport report = build({folder_ / "good.pgn", folder_ / "in.pgn"});
  EXPECT_EQ(report.games, 4u);
  EXPECT_EQ(report.plies, 12u);
  EXPECT_EQ(report.empty, 1u);
  EXPECT_EQ(report.rejected, 4u);
  ASSERT_EQ(report.rejected_games.size(), 4u);
  std::string text;
  for (const RejectedGame& game : report.rejected_games) {
    EXPECT_EQ(game.source, "in.pgn");
    text += game.game + ": " + game.reason + ", line " + std::to_string(game.line.value_or(0)) + "\n";
  }
  EXPECT_NE(text.find("Bad - Worse C: cannot play 2. Ke4, line 6"), std::string::npos) << text;
  EXPECT_NE(text.find("K - L"), std::string::npos) << text;
  EXPECT_NE(text.find("Cut - Off: no result"), std::string::npos) << text;
  EXPECT_NE(text.find("1 without a name"), std::string::npos) << text;
  EXPECT_EQ(Trace::open(out_).provenance().at("rejected_games").size(), 4u);
}

TEST_F(GameTrace, games_limit) {
  const std::string pgn = illegal_game + many_games();
  const BuildReport report = build_text(pgn, {.queries = {}, .games_limit = 3});
  EXPECT_EQ(report.games, 3u);
  EXPECT_EQ(report.rejected, 0u);
  const nlohmann::json provenance = Trace::open(out_).provenance();
  EXPECT_EQ(provenance.at("games_limit"), 3);
  EXPECT_EQ(provenance.at("sources").at(0).at("bytes"), pgn.size());
  const std::string first = read_file(out_);
  build_text(pgn, {.queries = {}, .games_limit = 3});
  EXPECT_EQ(read_file(out_), first);
}

TEST_F(GameTrace, latin1_names) {
  const std::string file = folder_ / "na\xFFme.pgn";
  write_file(file, "[White \"M\xFCller\"]\n[Black \"\xC3\xA9toile\"]\n\n1. e4 Ke5 *\n\n" + two_games);
  const BuildReport report = build({file});
  ASSERT_EQ(report.rejected_games.size(), 1u);
  EXPECT_EQ(report.games, 2u);
  // One name in Latin-1 makes the whole text Latin-1: readable, if not beautiful, and valid UTF-8 in any case.
  EXPECT_NE(report.rejected_games[0].game.find("M\xC3\xBCller"), std::string::npos);
  EXPECT_EQ(Trace::open(out_).provenance().at("sources").at(0).at("name"), "na\xC3\xBFme.pgn");
}

TEST_F(GameTrace, refuses_what_is_no_pgn_or_its_own_output) {
  expect_refused({folder_ / "none.pgn"}, "none.pgn: no such file");
  expect_refused({folder_ / "."}, "is a directory");
  std::mt19937_64 random(6);
  std::string binary(100'000, '\0');
  for (char& c : binary) c = static_cast<char>(random());
  for (const auto& [name, text, part] : std::vector<std::array<std::string, 3>>{
           {"empty.pgn", "", "empty.pgn holds no chess game"},
           {"prose.pgn", "It was a dark and stormy night.\n",
            "in prose.pgn: a game without tags: no result after the moves"},
           {"tags.pgn", "[White \"A\"]\n[Black \"B\"]\n", "tags.pgn holds no chess game"},
           {"binary.pgn", binary, "binary.pgn is not PGN text"},
           {"960.pgn",
            "[White \"A\"]\n[Black \"B\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n"
            "[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]\n\n1. e4 e5 *\n",
            "Chess960"},
           {"bad.pgn", illegal_game, "1 rejected, 0 without moves; the first, in bad.pgn: Bad - Worse"}}) {
    write_file(folder_ / name, text);
    expect_refused({folder_ / name}, part);
  }
  write_file(folder_ / "good.pgn", two_games);
  expect_refused({folder_ / "good.pgn", folder_ / "empty.pgn"}, "empty.pgn holds no chess game");
  write_file(out_, two_games);
  expect_complaint("both input and output", [&] { build({out_}); });
  EXPECT_EQ(read_file(out_), two_games);
}

TEST_F(GameTrace, refuses_a_truncated_archive) {
  std::string pgn;
  for (int i = 0; i < 2'000; ++i) pgn += two_games + "% " + std::to_string(i * 7919) + "\n";
  write_file(folder_ / "in.pgn", pgn);
  for (const std::string program : {"gzip", "zstd"}) {
    const std::string file = compress(program + " -c", "in.z");
    if (file.empty()) continue;
    const std::string bytes = read_file(file);
    write_file(file, bytes.substr(0, bytes.size() / 2));
    expect_refused({file}, "cannot read in.z");
    expect_refused({file}, "runcated");
  }
}

TEST_F(GameTrace, an_error_of_the_callback_ends_everything) {
  write_file(folder_ / "in.pgn", many_games());
  const ProgressFn fail = [](std::uint64_t, std::uint64_t, std::uint64_t) { throw UserError("enough"); };
  expect_complaint("enough", [&] { build_game_trace({folder_ / "in.pgn"}, out_, {}, fail); });
  EXPECT_EQ(folder_.names(), Texts{"in.pgn"});
}

TEST_F(GameTrace, pgn_extract_is_missing_or_ends_badly) {
  write_file(folder_ / "in.pgn", many_games());
  write_file(folder_ / "script", "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\nkill -9 $$\n");
  std::filesystem::permissions(folder_ / "script", std::filesystem::perms::owner_all);
  for (const auto& [program, part] :
       {std::pair<std::string, const char*>{folder_ / "none", "is not installed; run scripts/install_deps.sh"},
        {"/bin/false", "pgn-extract failed on in.pgn: exit status 1"},
        {"/bin/true", "stopped before the end of in.pgn"},
        {folder_ / "script", "pgn-extract failed on in.pgn: killed by signal 9"}}) {
    const ScopedEnvironment chosen("SLIDEBENCH_PGN_EXTRACT", program);
    expect_refused({folder_ / "in.pgn"}, part);
  }
}

TEST(pgn_diagnostics, names_and_counts) {
  const TempFolder folder;
  write_file(folder / "complaints",
             "Processing stdin\nFile stdin: Line number: 15\nFailed to make move 2. Ke4 in the game:\nrnbqkbnr\n"
             "........\n\nBad - Worse B \nFile stdin: Line number: 15\nMissing result.\n"
             "5 games matched out of 9. - X \nAlpha - Beta \nMissing result.\nCut - Off \n"
             "5 games matched out of 8.\n");
  const std::string file = folder / "complaints";
  const Complaints found = read_complaints(FileHandle(::open(file.c_str(), O_RDONLY)), "x.pgn");
  EXPECT_EQ(found.rejected, 3u + 2u);
  EXPECT_EQ(found.printed_without_moves, 1u);
  EXPECT_EQ(found.reported, 3u);
  ASSERT_EQ(found.named.size(), 3u);
  EXPECT_EQ(found.named[0].game, "Bad - Worse B");
  EXPECT_EQ(found.named[0].line, 15u);
  EXPECT_EQ(found.named[0].reason, "cannot play 2. Ke4");
  EXPECT_EQ(found.named[1].game, "5 games matched out of 9. - X");
  EXPECT_FALSE(found.named[2].line);
}

}  // namespace
}  // namespace slidebench::test
