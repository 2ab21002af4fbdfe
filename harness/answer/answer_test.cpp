// SPDX-License-Identifier: MIT
#include "harness/answer/answer.hpp"

#include <gtest/gtest.h>

#include <array>

#include "harness/answer/answer_text.hpp"
#include "harness/answer/glossary.hpp"
#include "harness/answer/next_step.hpp"
#include "harness/answer/ranking.hpp"
#include "harness/answer/run_folder.hpp"
#include "harness/answer/verdict.hpp"
#include "harness/answer/words.hpp"
#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/platform/cpu_generation.hpp"
#include "harness/plugin/known_methods.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

Cell cell_of(const std::string& workload, const std::string& trace, const std::string& pressure = "isolated") {
  return cell_of(CellText{.workload = workload, .trace = trace, .pressure = pressure});
}

/// A run made up row by row: what a test says of it is all there is.
struct MadeUpRun {
  /// A contender's row in a cell, whose role the verdict tells as in a file: `half` is the half-width of its interval.
  MadeUpRun& row(const Cell& cell, const std::string& contender, double ratio, const std::string& verdict,
                 double half = 0.01) {
    SummaryRow row;
    row.contender = row.method = contender;
    row.cell = cell;
    row.verdict = parse_verdict(verdict);
    row.ns_per_query = {10 * ratio, 0, 0};
    if (verdict == "baseline") {
      row.role = ContenderRole::empty;
    } else {
      row.role = verdict == "reference" ? ContenderRole::reference : ContenderRole::method;
      row.ratio = Estimate{ratio, ratio - half, ratio + half};
      row.aa_bound = 0.004;
      row.best = Standing::among;
    }
    if (row.role == ContenderRole::method) row.judged = row.ratio;
    rows.push_back(row);
    return *this;
  }

  /// The empty loop and the reference.
  MadeUpRun& reference(const Cell& cell) {
    return row(cell, "empty", 0.7, "baseline").row(cell, "magic_fancy", 1, "reference", 0);
  }

  MadeUpRun& usual(const Cell& cell, double pext, const std::string& verdict, double half = 0.01) {
    return reference(cell).row(cell, "pext", pext, verdict, half);
  }

  /// A cell in which pext is the fastest beyond doubt.
  MadeUpRun& won(const Cell& cell, double pext = 0.82) { return usual(cell, pext, "faster").best(cell, {"pext"}, 2); }

  MadeUpRun& best(const Cell& cell, const std::vector<std::string>& contenders, std::size_t compared,
                  const json& limit = nullptr) {
    record["bests"].push_back({{"cell", cell},
                               {"limit_bytes", limit},
                               {"compared", compared},
                               {"contenders", contenders},
                               {"sure", contenders.size() == 1},
                               {"lead", nullptr}});
    return *this;
  }

  MadeUpRun& twin(const Cell& cell, double ratio, const std::string& result) {
    record["checks"]["twin"].push_back({{"cell", cell}, {"ratio", ratio}, {"margin", 0.01}, {"result", result}});
    return *this;
  }

  Answer answer() const { return make_answer(rows, record); }
  Situation only() const {
    const Answer all = answer();
    EXPECT_EQ(all.situations.size(), 1u);
    return all.situations.front();
  }

  std::vector<SummaryRow> rows;
  json record = {{"checks", {{"twin", json::array()}, {"control", json::array()}}}};
};

const Cell alone = cell_of("throughput", "search"), replayed = cell_of("throughput", "search", "net1024"),
           search_with_network = cell_of("engine", "net1024"), search_without = cell_of("engine", "net0"),
           in_perft = cell_of("perft", "positions");

struct Rival {
  const char* id;
  double ratio;
  const char* verdict;
  double half = 0.01;
};

/// What is said of pext and others beside the reference: the method that is named, and how the line begins.
void expect_told(const std::vector<Rival>& rivals, const std::vector<std::string>& best, const std::string& method,
                 const std::string& line) {
  MadeUpRun run;
  run.reference(alone);
  for (const auto& [id, ratio, verdict, half] : rivals) run.row(alone, id, ratio, verdict, half);
  const Situation s = run.best(alone, best, 1 + rivals.size()).only();
  EXPECT_EQ(s.id, "isolated");
  EXPECT_EQ(s.method, method) << line;
  EXPECT_EQ(s.verdict, method.empty() || best.size() > 1 ? Confidence::unsure : Confidence::sure) << line;
  EXPECT_TRUE(s.text.starts_with("In a loop: " + line)) << s.text;
}

TEST(Answer, NamesWhoIsAheadAndWhoIsTied) {
  const Rival fill{"kogge_stone", 1.5, "slower"}, walk{"ray_walk", 3, "slower"};
  expect_told({{"pext", 0.82, "faster"}}, {"pext"}, "pext", "pext -18 % [-19, -17], no other is tied.");
  expect_told({{"pext", 1.2, "slower"}}, {"magic_fancy"}, "magic_fancy", "magic_fancy, no other is tied.");
  expect_told({{"pext", 0.95, "faster"}, {"hyperbola", 0.97, "faster"}}, {"pext", "hyperbola"}, "pext",
              "pext -5.0 % [-6.0, -4.0], ");
  expect_told({{"pext", 0.96, "faster"}, {"hyperbola", 0.965, "faster"}, {"pext_pdep", 0.98, "faster"}, fill, walk},
              {"pext", "hyperbola", "pext_pdep"}, "pext",
              "pext -4.0 % [-5.0, -3.0], tied with 2 others, nearest hyperbola.");
  // Far methods that noise does not exclude are counted.
  expect_told({{"pext", 0.96, "faster"}, {"hyperbola", 0.99, "inconclusive"}, fill}, {"pext", "hyperbola"}, "pext",
              "pext -4.0 % [-5.0, -3.0], tied with 1 other: hyperbola.");
}

TEST(Answer, WithoutADecisionNobodyIsNamed) {
  const Rival fill{"kogge_stone", 1.5, "slower"};
  expect_told({{"pext", 0.98, "inconclusive", 0.03}}, {"pext"}, "",
              "no significant difference, detection limit 4.1 %; least: pext -2.0 % [-5.0, +1.0].");
  expect_told({{"pext", 0.985, "unresolved"}}, {"pext"}, "", "no significant difference, ");
  expect_told({{"pext", 0.998, "equivalent", 0.004}}, {"pext", "magic_fancy"}, "",
              "equal within 1.0 %, least: pext -0.2 % [-0.6, +0.2].");
  expect_told({{"pext", 0.995, "inconclusive"}, fill}, {"pext", "magic_fancy"}, "",
              "no significant difference, detection limit 2.0 %; least: pext -0.5 % [-1.5, +0.5].");
  // What no run can see has no absurd number.
  expect_told({{"pext", 1.1, "inconclusive", 1.0999}}, {"magic_fancy", "pext"}, "",
              "no significant difference, detection limit above 100 %; tied with 1 other: pext.");
}

TEST(Ranking, OfWhatIsNotDecidedSaysWhatIsKnown) {
  const auto line_of = [](double ratio, const std::string& verdict) {
    return ranking_text(MadeUpRun().usual(alone, ratio, verdict, 0.007).rows);
  };
  EXPECT_NE(line_of(0.985, "unresolved").find("not significant: 0.8 % to 2.2 % less\n"), std::string::npos);
  EXPECT_NE(line_of(1.002, "inconclusive").find("not significant: 0.9 % more to 0.5 % less\n"), std::string::npos);
  EXPECT_NE(line_of(0.9, "faster").find("faster\n"), std::string::npos);
}

TEST(Answer, AMethodThatIsShownIsNamedBeforeOneOfLessTimeThatIsNot) {
  const auto run = [](const std::string& third) {
    return MadeUpRun()
        .usual(alone, 0.964, "unresolved")
        .row(alone, "hyperbola", 0.965, "faster")
        .row(alone, "kogge_stone", 0.98, "inconclusive")
        .best(alone, {"pext", "hyperbola", third}, 4)
        .only();
  };
  const Situation s = run("kogge_stone");
  EXPECT_EQ(s.text, "In a loop: hyperbola -3.5 % [-4.5, -2.5], tied with 2 others, nearest pext.");
  EXPECT_EQ(s.least, "hyperbola");
  EXPECT_EQ(s.tied_with, (std::vector<std::string>{"pext", "kogge_stone"}));
  EXPECT_TRUE(run("magic_fancy").method.empty()) << "the reference may be the fastest as well";
}

TEST(Answer, IsWithheldForAFailedControlAVoidCellOrNoComparisonsNotForAnImpreciseControl) {
  const Answer a = MadeUpRun().won(alone).twin(alone, 1.031, "failed").answer();
  EXPECT_EQ(a.situations.front().verdict, Confidence::withheld);
  EXPECT_TRUE(a.situations.front().method.empty());
  EXPECT_EQ(a.situations.front().text,
            "In a loop: no answer, identical code measured 3.1 % apart here (the A/A control failed).");
  for (const AnswerTable::Row& row : a.table.rows) EXPECT_FALSE(row.ratios.front());
  EXPECT_EQ(MadeUpRun().won(alone).twin(alone, 1.001, "imprecise").only().verdict, Confidence::sure);
  EXPECT_EQ(MadeUpRun().usual(alone, 0.82, "void").best(alone, {"pext"}, 2).only().verdict, Confidence::withheld);
  const Situation s = MadeUpRun().usual(alone, 0.82, "inconclusive").only();
  EXPECT_EQ(s.verdict, Confidence::withheld);
  EXPECT_NE(s.text.find("too few process runs"), std::string::npos);
}

TEST(Answer, SmallTablesAreASituationOfTheirOwn) {
  MadeUpRun run;
  run.usual(alone, 0.82, "faster").row(alone, "hyperbola", 1.02, "slower").row(alone, "ray_walk", 7, "slower");
  const Answer a = run.best(alone, {"pext"}, 4).best(alone, {"hyperbola"}, 2, 8192).answer();
  ASSERT_EQ(a.situations.size(), 2u);
  EXPECT_EQ(a.situations[1].id, "small");
  EXPECT_EQ(a.situations[1].limit_bytes, 8192u);
  EXPECT_EQ(a.situations[1].text, "In 8 KiB of tables: hyperbola +2.0 % [+1.0, +3.0], no other is tied.");
  EXPECT_EQ(a.table.situations, std::vector<std::string>{"isolated"});
}

TEST(Answer, SituationsComeFromQuietToBusyAndThenTheEngine) {
  MadeUpRun run;
  for (const Cell& cell :
       {cell_of("engine", "net256"), cell_of("engine", "net1024"), cell_of("perft", "positions"),
        cell_of("throughput", "search", "1536@8M/eval/rows"), cell_of("throughput", "search", "64@8M/eval/rows"),
        cell_of("throughput", "search", "net1024"), cell_of("throughput", "search", "light"), alone,
        cell_of("latency", "search"), cell_of("throughput", "random")})
    run.won(cell);
  const Answer a = run.answer();
  std::vector<std::string> ids;
  for (const Situation& s : a.situations) ids.push_back(s.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"isolated", "light", "net1024", "64@8M/eval/rows", "1536@8M/eval/rows",
                                           "perft", "engine_net256", "engine_net1024"}));
  EXPECT_EQ(a.situations.back().title, "In a search with a network of 1,024");
  EXPECT_EQ(a.trace, "search");
  EXPECT_EQ(a.workload, "throughput");
  EXPECT_EQ(a.deciding, "engine_net1024") << "the search decides, the replay explains";
}

TEST(Answer, SearchesWithoutTheReferenceGiveNoAnswer) {
  MadeUpRun run;
  run.won(alone).won(search_with_network, 0.96).row(in_perft, "pext", 0.9, "");
  const Answer a = run.answer();
  ASSERT_EQ(a.situations.size(), 3u);
  EXPECT_EQ(a.situations[1].text, "In perft: no answer, magic_fancy was not measured here.");
  EXPECT_EQ(a.situations[2].text, "In a search with a network of 1,024: pext -4.0 % [-5.0, -3.0], no other is tied.");
  EXPECT_EQ(a.deciding, "engine");
  EXPECT_EQ(*a.table.rows.front().ratios[2], 0.96);
}

TEST(Answer, TheTableHasAllOfAFewAndOfManyTheWellKnownAndEachThatAnAnswerNames) {
  MadeUpRun few;
  few.usual(alone, 0.82, "faster")
      .row(alone, "mine", 0.9, "inconclusive")
      .row(alone, "same", 0.998, "equivalent", 0.004);
  few.record["methods"].push_back({{"id", "mine"}, {"table_bytes", 4096}, {"family", "magic"}});
  const AnswerTable table = few.best(alone, {"pext"}, 4).answer().table;
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[1].method, "mine");  // by time
  EXPECT_EQ(table.rows[1].table_bytes, 4096u);
  EXPECT_EQ((std::vector<bool>{table.rows[0].sure[0], table.rows[1].sure[0]}), (std::vector<bool>{true, false}));
  EXPECT_EQ((std::vector<bool>{table.rows[0].equal[0], table.rows[2].equal[0]}), (std::vector<bool>{false, true}));

  const auto methods = [](const std::string& best, double third) {
    MadeUpRun run;
    run.usual(alone, 0.82, "faster");
    for (int i = 0; i < 9; ++i) {
      const double ratio = i == 3 ? third : 2;
      run.row(alone, "other" + std::to_string(i), ratio, ratio < 1 ? "faster" : "slower");
    }
    std::vector<std::string> found;
    for (const AnswerTable::Row& row : run.best(alone, {best}, 11).answer().table.rows) found.push_back(row.method);
    return found;
  };
  EXPECT_EQ(methods("pext", 2), (std::vector<std::string>{"pext", "magic_fancy"}));
  EXPECT_EQ(methods("other3", 0.8), (std::vector<std::string>{"other3", "pext", "magic_fancy"}));
}

TEST(NextStep, MeasuresOnWhereTimeWouldTellAndElseTakesHome) {
  MadeUpRun made;
  made.usual(alone, 0.97, "inconclusive", 0.04).best(alone, {"pext", "magic_fancy"}, 2);
  RunFolder run;
  run.path = "reports/my run";
  run.resumable = true;
  run.record = {{"measured_seconds", 120}, {"inference", {{"margin", 0.01}, {"interval", "student-t"}}}};
  run.rows = made.rows;
  for (SummaryRow& row : run.rows) row.process_runs = 20;
  const std::optional<NextStep> more = next_step(run, made.answer());
  ASSERT_TRUE(more);
  EXPECT_EQ(more->command.find(typed_program() + " run --resume 'reports/my run' --time "), 0u);
  EXPECT_GT(more->minutes, 5u);
  EXPECT_NE(more->why.find("a difference of "), std::string::npos);
  const std::optional<NextStep> home = next_step(run, MadeUpRun().won(alone).answer());
  ASSERT_TRUE(home);
  EXPECT_TRUE(home->command.ends_with("headers/pext.h attacks.h"));
  const std::size_t path = std::string("cp ").size();
  const std::string header = home->command.substr(path, home->command.rfind(' ') - path);
  EXPECT_TRUE(std::filesystem::exists(header)) << header << " from a folder that is not the tree's root";
  const Cell boards = cell_of("throughput", "random");  // no engine asks about them
  const Answer loose = MadeUpRun().won(boards).answer();
  EXPECT_EQ(loose.situations[0].text, "In a loop over random boards: pext -18 % [-19, -17], no other is tied.");
  EXPECT_FALSE(next_step(run, loose));
  EXPECT_LT(narrowing(20, 120, 3600, Inference::fixed, Inference::fixed), 0.2);
  EXPECT_GT(narrowing(20, 120, 1, Inference::fixed, Inference::sequential), 1);
}

TEST(Words, AChangeWithoutAnIntervalIsANumber) { EXPECT_EQ(change_of({1.004, -INFINITY, INFINITY}), "+0.4 %"); }

TEST(Verdict, SaysForEachKindOfEngineWhetherToChangeAndTheUsersDecides) {
  MadeUpRun run;
  run.won(alone, 0.8);
  run.usual(search_with_network, 0.99, "inconclusive", 0.014).best(search_with_network, {"magic_fancy", "pext"}, 2);
  run.usual(search_without, 0.97, "inconclusive", 0.08).best(search_without, {"magic_fancy", "pext"}, 2);
  run.row(in_perft, "magic_fancy", 1, "reference", 0);  // perft has no empty loop
  run.row(in_perft, "pext", 1.2, "slower").best(in_perft, {"magic_fancy"}, 2);
  Answer answer = run.answer();
  const std::vector<VerdictLine> lines = verdict_of(answer);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].title, "In a search with a network of 1,024");
  EXPECT_EQ(lines[0].text, "nothing to gain (at most 2.4 %): keep magic_fancy (2 methods compared)");
  EXPECT_EQ(lines[0].method, "");
  EXPECT_EQ(lines[1].title, "In a search without a network");
  EXPECT_EQ(lines[1].text, "no difference is significant; a gain of up to 11 % is not excluded (2 methods compared)");
  EXPECT_EQ(lines[2].text, "no method is faster: keep magic_fancy (2 methods compared)");
  EXPECT_EQ(lines[3].id, "loop");
  EXPECT_EQ(lines[3].text, "pext is 19 % to 21 % faster than magic_fancy (2 methods compared)");
  EXPECT_EQ(lines[3].method, "pext");

  EXPECT_EQ(own_line(answer, ""), "network");
  EXPECT_EQ(answer.deciding, "engine_net1024");
  EXPECT_EQ(answer.table.rows.front().method, "pext");
  EXPECT_EQ(own_line(answer, "perft"), "perft");
  EXPECT_EQ(answer.deciding, "perft");
  EXPECT_EQ(answer.table.rows.front().method, "magic_fancy");
}

TEST(Verdict, AReplaySpeaksWhereNothingWasSearchedAndIsComparedWithASearch) {
  Answer answer = MadeUpRun().won(replayed, 0.9).answer();
  const std::vector<VerdictLine> lines = verdict_of(answer);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].id, "network");
  EXPECT_EQ(lines[0].title, "Replayed with a network of 1,024");
  EXPECT_THROW(own_line(answer, "classical"), UserError);

  const auto sentences = [](double searched) {
    MadeUpRun run;
    run.won(replayed, 0.95).usual(search_with_network, searched, "inconclusive");
    return disagreements(run.best(search_with_network, {"magic_fancy", "pext"}, 2).answer());
  };
  EXPECT_EQ(sentences(1.02),
            (std::vector<std::string>{"For 1 of 1 methods the replay net1024 and the search lie on different sides of "
                                      "magic_fancy: the search counts."}));
  EXPECT_TRUE(sentences(0.97).empty());
}

TEST(Answer, TheIntervalOfANamedMethodAllowsForTheChoice) {
  MadeUpRun run;
  run.won(alone, 0.8).rows.back().judged = Estimate{0.8, 0.75, 0.85};
  const Situation s = run.only();
  EXPECT_EQ(s.line.change, "-20 % [-25, -15]");
  EXPECT_NEAR(*s.most_gain, 0.25, 1e-12);
}

TEST(Answer, NothingMeasuredIsNoAnswer) {
  const Answer a = MadeUpRun().answer();
  EXPECT_TRUE(a.situations.empty());
  EXPECT_TRUE(to_json(a).at("trace").is_null());
}

TEST(CoreMethods, AnotherVectorFormStandsInForAMissingOne) {
  EXPECT_EQ(known_methods({"pext", "hyperbola_gfni", "empty"}), (std::vector<std::string>{"pext", "hyperbola_gfni"}));
  EXPECT_EQ(known_methods({"hyperbola_avx2", "hyperbola_gfni"}), (std::vector<std::string>{"hyperbola_avx2"}));
}

TEST(CpuGeneration, KnownOnesHaveNamesAndOthersKeepTheirs) {
  EXPECT_EQ(cpu_generation("AuthenticAMD", 25, 33), "Zen 3");
  EXPECT_EQ(cpu_generation("AuthenticAMD", 26, 68), "Zen 5");
  EXPECT_EQ(cpu_generation("AuthenticAMD", 23, 8), "Zen+");
  EXPECT_EQ(cpu_generation("GenuineIntel", 6, 151), "Golden Cove");
  EXPECT_EQ(cpu_generation("GenuineIntel", 6, 60), "Haswell");
  EXPECT_EQ(cpu_generation("GenuineIntel", 25, 17), "");
  EXPECT_EQ(cpu_generation("AuthenticAMD", 99, 1), "");
  EXPECT_EQ(cpu_text({{"cpu", "AMD EPYC"}, {"vendor", "AuthenticAMD"}, {"family", 25}, {"model", 17}}),
            "AMD EPYC (Zen 4)");
  // A virtual machine with the number of a model that lacks what it has.
  nlohmann::json renamed = {{"cpu", "Xeon"}, {"vendor", "GenuineIntel"}, {"family", 6}, {"model", 167}};
  EXPECT_EQ(cpu_text(renamed), "Xeon (Cypress Cove)");
  renamed["isa"] = {"avx2", "avx_vnni"};
  EXPECT_EQ(cpu_text(renamed), "Xeon (Golden Cove or newer)");
  renamed["model"] = 207;
  EXPECT_EQ(cpu_text(renamed), "Xeon (Raptor Cove)");
  EXPECT_EQ(cpu_text({{"cpu", "New"}, {"vendor", nullptr}, {"family", nullptr}, {"model", nullptr}}), "New");
  EXPECT_EQ(cpu_text(json::object()), "unknown");
}

TEST(Glossary, HasALineForAWord) {
  EXPECT_EQ(glossary_text(0, "margin").find("margin: times that differ"), 0u);
  EXPECT_EQ(glossary_text(0, "in a loop").find("isolated, in a loop: "), 0u);
  EXPECT_EQ(glossary_text(0, "lone"), "");
  for (const char* used : {"A/A control", "both", "latency", "light", "lukewarm", "nnue", "process run", "tied"})
    EXPECT_NE(glossary_text(0, used), "") << used;
  for (const std::string& word : glossary_words()) EXPECT_NE(glossary_text(0, word), "") << word;
}

/// Folders with files that no run wrote.
class RunFolderTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { test::write_file(folder_ / name, text); }

  std::string refusal() const {
    return test::complaint([this] { read_run_folder(folder_ / ""); });
  }

  /// A summary of one row, which took so many nanoseconds.
  static std::string summary(const std::string& ns) {
    return header + ("pext,pext,\"PEXT, split\",pext,v3,method,throughput,all,search,isolated,4k,0,8,16," + ns) +
           ",1.4,1.6,0.2,0.1,0.3,0.8,0.7,0.9,0.01,faster,0.68,0.92,fastest\n";
  }

  static constexpr const char* header =
      "contender,method,title,family,level,role,workload,kinds,trace,pressure,pages,corunners,process_runs,rounds,"
      "ns_per_query,ns_low,ns_high,net_ns_per_query,net_low,net_high,ratio,ratio_low,ratio_high,aa_bound,verdict,"
      "holm_low,holm_high,best\n";
  const test::TempFolder folder_;
};

TEST_F(RunFolderTest, SaysWhereARecordIsDamaged) {
  json whole = json::parse(R"({
    "checks": {"valid": true,
               "twin": [{"ratio": 1, "low": null, "high": 2, "margin": 0.01, "result": "passed"}],
               "control": [{"expected_ratio": 1.1, "measured_ratio": 1.1, "low": 1, "high": 1.2, "result": "failed"}]},
    "correlations": [{"methods": 8, "spearman": 0.5, "low": 0, "high": 1, "bound": null}],
    "reliabilities": [{"methods": 8, "split_half": 0.9}],
    "bests": [{"limit_bytes": 8192, "compared": 8, "contenders": ["pext"], "sure": true}],
    "methods": [{"id": "pext", "table_bytes": null, "family": "pext"}],
    "traces": [{"name": "search", "provenance": {"kind": "import", "search": {"visits": 7}}}],
    "machine": {"cpu": "a", "vendor": "b", "family": 6, "caches": [{"level": 1, "type": "data", "bytes": 1}],
                "hypervisor": null},
    "session_widenings": [{"factor": 1.5}], "reference": null, "measured_seconds": 1.5,
    "inference": {"margin": 0.01, "interval": "student-t"},
    "skipped": [{"id": "a", "why": "b"}], "missing_process_runs": [{"process_run": 3, "why": "b"}],
    "counters": {"status": "none", "reason": "b"}, "warnings": ["a"], "complete": true
  })");
  for (const char* part : {"checks/twin/0/cell", "checks/control/0/cell", "correlations/0/a", "correlations/0/b",
                           "reliabilities/0/cell", "bests/0/cell", "session_widenings/0/cell"})
    whole[json::json_pointer(std::string("/") + part)] = alone;
  write("run.json", whole.dump());
  EXPECT_NE(refusal().find("no summary"), std::string::npos) << refusal();  // the record as it should be
  std::size_t places = 0;
  test::for_each_damage(whole, [&](const std::string& place) {
    write("run.json", whole.dump());
    const std::string said = refusal();
    EXPECT_EQ(said.find(folder_ / "run.json"), 0u) << place << ": " << said;
    EXPECT_NE(said.find(": " + (place.empty() ? "the whole" : place)), std::string::npos) << place << ": " << said;
    ++places;
  });
  EXPECT_GT(places, 100u);
}

TEST_F(RunFolderTest, RefusesWhatIsNoRunAndReadsRowsWithQuotedTitles) {
  const std::array<std::string, 3> files[]{{"other", "", "holds no run"},
                                           {"run.json", "{ half", "damaged"},
                                           {"run.json", R"({"kind": "simulation"})", "simulation"},
                                           {"run.json", R"({"checks": 7})", "damaged"},
                                           {"run.json", R"({"checks": {"twin": [], "control": []}})", "no summary"},
                                           {"summary.csv", header, "no rows"},
                                           {"summary.csv", "contender,role\npext,method\n", "no summary"},
                                           {"summary.csv", summary("fast"), "'fast' is no number"}};
  for (const auto& [name, text, part] : files) {
    write(name, text);
    EXPECT_NE(refusal().find(part), std::string::npos) << part;
  }
  write("summary.csv", summary("1.5"));
  const RunFolder run = read_run_folder(folder_ / "");
  ASSERT_EQ(run.rows.size(), 1u);
  EXPECT_EQ(run.rows[0].cell, alone);
  EXPECT_DOUBLE_EQ(run.rows[0].ratio->high, 0.9);
  EXPECT_EQ(run.rows[0].rounds, 16u);
}

}  // namespace
}  // namespace slidebench
