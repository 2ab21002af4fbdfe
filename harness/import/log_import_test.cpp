// SPDX-License-Identifier: MIT
//
// From logs to a trace file.
#include "harness/import/log_import.hpp"

#include "harness/trace/reader.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench::test {
namespace {

constexpr const char* log_text =
    "root ff\nb a1 ff\nr a1 ff\nmake fe\nprobe\nr b1 fe\nb c1 fe\neval\nq d1 fe\nr b1 fc\nunmake ff\nx e1 ff\n";

class LogImport : public ::testing::Test {
 protected:
  LogImport() { write_file(log_, log_text); }

  ImportReport import(const LogImportOptions& options = {}) { return import_logs({log_}, out_, options); }

  const TempFolder folder_;
  std::string log_ = folder_ / "my.queries";
  std::string out_ = folder_ / "my engine.trace";
};

TEST_F(LogImport, nodes_queries_and_provenance) {
  const ImportReport report = import();
  EXPECT_EQ(report.counts.queries, 7u);
  EXPECT_EQ(report.queries, 6u);
  EXPECT_EQ(report.nodes, 4u);
  const Trace trace = Trace::open(out_);
  EXPECT_FALSE(trace.has_sliders());
  EXPECT_EQ(trace.queries(QueryKind::both), 2u);
  EXPECT_EQ(trace.nodes(), 5u);  // a bishop after a rook continues in a node of its own
  const nlohmann::json& provenance = trace.provenance();
  EXPECT_EQ(provenance.at("kind"), "import");
  EXPECT_EQ(provenance.at("name"), "my_engine");
  EXPECT_EQ(provenance.at("sources").at(0).at("name"), "my.queries");
  EXPECT_EQ(provenance.at("sources").at(0).at("form"), "text");
  EXPECT_EQ(provenance.at("sources").at(0).at("bytes"), std::string(log_text).size());
  EXPECT_EQ(provenance.at("search").at("visits"), 2u);
  EXPECT_EQ(provenance.at("merged"), 1u);
  EXPECT_EQ(provenance.at("occupancy_changes"), 1u);
  EXPECT_EQ(provenance.at("recipe"), "slidebench trace import --merge-both 1 --name my_engine my.queries");
  EXPECT_EQ(import({.merge_both = 0}).queries, 7u);
}

TEST_F(LogImport, a_limit) {
  EXPECT_FALSE(import({.limit = 7}).limit_reached);
  const ImportReport report = import({.limit = 3});
  EXPECT_TRUE(report.limit_reached);
  EXPECT_EQ(report.counts.queries, 3u);
  const Trace trace = Trace::open(out_);
  EXPECT_TRUE(trace.provenance().at("sources").at(0).at("sha256").is_null());
  EXPECT_EQ(trace.provenance().at("limit"), 3u);
  const std::vector<ImportedLog> logs = import_logs({log_, log_, log_}, out_, {.limit = 10}).logs;
  ASSERT_EQ(logs.size(), 2u);
  EXPECT_EQ(logs[1].queries, 3u);
}

TEST_F(LogImport, a_log_with_boards_and_moves_tells_the_pieces_if_they_are_wanted) {
  write_file(log_,
             "board 4k3/8/8/8/8/8/7P/R3K2R\nroot 1000000000008091\nx e1 1000000000008091\nr a1 1000000000008011\n"
             "move e1g1\nmake\nr f1 1000000000008061\neval\nmove e8d8\nmake 0800000000008061\nunmake\n"
             "unmake 1000000000008091\nb h1 1000000000008091\n");
  EXPECT_TRUE(import().has_pieces);
  const Trace trace = Trace::open(out_);
  EXPECT_TRUE(trace.has_pieces());
  EXPECT_TRUE(trace.has_sliders());
  EXPECT_EQ(trace.provenance().at("pieces"), true);
  const TraceBlock& block = trace.blocks()[0];
  ASSERT_EQ(block.nodes, 6u);
  EXPECT_EQ(block.tags[2], 1 | moved_flag | evaluated_flag);
  EXPECT_EQ(block.sliders[2].white_orthogonal, 0x21u);
  import({.pieces = false, .name = "a"});
  const Trace without = Trace::open(out_);
  EXPECT_FALSE(without.has_sliders());
  EXPECT_EQ(without.provenance().at("pieces"), false);
  EXPECT_EQ(without.provenance().at("recipe"),
            "slidebench trace import --no-pieces --merge-both 1 --name a my.queries");
  EXPECT_EQ(without.nodes(), 6u);
}

TEST_F(LogImport, pieces_that_do_not_fit_are_refused_where_they_stand) {
  write_file(log_, "board 4k3/8/8/8/8/8/8/R3K3\nroot 1000000000000011\nr a1 1000000000000011\n\nunmake\n");
  expect_complaint("my.queries, line 5: an unmake, but there is no move", [this] { import(); });
  expect_complaint("record it again, or import it with --no-pieces", [this] { import(); });
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"my.queries"});
  EXPECT_FALSE(import({.pieces = false}).has_pieces);
  EXPECT_FALSE(Trace::open(out_).has_pieces());
}

TEST_F(LogImport, refused_and_nothing_left_behind) {
  expect_complaint("no log given", [&] { import_logs({}, out_); });
  expect_complaint("both input and output", [&] { import_logs({log_}, log_); });
  expect_complaint("is a directory", [&] { import_logs({folder_ / ""}, out_); });
  expect_complaint("at most 1024", [&] { import({.merge_both = 1025}); });
  expect_complaint("no name for a trace", [&] { import({.name = "my engine"}); });
  expect_complaint("no name for a trace", [&] { import({.name = std::string(65, 'a')}); });
  write_file(folder_ / "only events", "root ff\nmake\nunmake\n");
  expect_complaint("no query in only events", [&] { import_logs({folder_ / "only events"}, out_); });
  write_file(folder_ / "bad", std::string(log_text) + "b e4\n");
  expect_complaint("bad, line 13: no occupancy", [&] { import_logs({log_, folder_ / "bad"}, out_); });
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"bad", "my.queries", "only events"}));
}

TEST(trace_name, of_files) {
  EXPECT_EQ(trace_name_of("/some/where/my-engine_2.1.trace.zst"), "my-engine_2.1");
  EXPECT_EQ(trace_name_of("my engine, new"), "my_engine__new");
  EXPECT_EQ(trace_name_of(""), "import");
  EXPECT_EQ(trace_name_of(".trace"), ".trace");
  EXPECT_TRUE(is_trace_name(trace_name_of(std::string(300, 'x'))));
}

}  // namespace
}  // namespace slidebench::test
