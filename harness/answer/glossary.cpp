// SPDX-License-Identifier: MIT
#include "harness/answer/glossary.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/base/terminal.hpp"

namespace slidebench {
namespace {

struct Entry {
  std::string_view word;
  std::string_view meaning;
};

constexpr Entry entries[] = {
    {"A/A control", "the reference's own code a second time; where it seems to differ, the measurement is to blame"},
    {"aa_bound", "by how much identical code may have differed in a cell"},
    {"alone", "nothing but attack queries in a loop, with warm caches (in files: isolated)"},
    {"batch", "all sliders of a position asked about at once, each with an answer of its own"},
    {"best",
     "the method whose time no other one's is surely below, among those compared (multiple comparisons with the "
     "best, 95 %)"},
    {"both", "a query for the bishop's and the rook's attacks of one square together"},
    {"cell", "one situation: a workload on a trace, under a pressure, with one size of pages"},
    {"clock", "a chain of additions of one cycle each, to tell the clock rate"},
    {"empty loop", "the loop without a method: what it costs, every method pays"},
    {"engine", "a search by a small engine into which the method is compiled; nodes per second"},
    {"equivalent", "surely within the margin of the reference"},
    {"faster, slower", "surely beyond the margin of the reference, with all methods of the cell compared at once"},
    {"inconclusive", "neither faster, slower nor equivalent is sure; more process runs would tell"},
    {"known cost", "the positive control: the reference with one multiplication more, which must cost 3 cycles"},
    {"latency", "each query waits for the answer before it, as nothing hides the time"},
    {"level", "this run cannot tell the methods apart"},
    {"light", "64 scattered cache lines of 256 KiB read at every node: an estimate of an engine without a network"},
    {"lukewarm", "the methods take turns every 2,048 queries and push each other's tables out of the caches"},
    {"margin", "times that differ by no more count as equal; fixed before the run (1 %)"},
    {"net0, net256, net1024",
     "what the small engine here does between queries, without a network and with one of 256 "
     "or 1,024 neurons, fitted to the engine and replayed"},
    {"net of the loop", "a method's time less the empty loop's"},
    {"nnue", "768 cache lines of an 8 MiB network read at every evaluation"},
    {"not decided", "the comparison with the reference is inconclusive or unresolved"},
    {"perft", "counting the leaves of the legal move tree, with the method in the move generator"},
    {"pressure", "what an engine does to the caches between two queries, replayed between the timed queries"},
    {"process run",
     "one process with fresh addresses; each gives one number, the median of its rounds (in files: "
     "process_run)"},
    {"ratio", "a method's time over the reference's in the same round; below 1 is faster"},
    {"reference", "magic_fancy, fancy magic bitboards: the others are compared with it"},
    {"round", "every method once, in random order"},
    {"sample", "one timed stretch of one method, some milliseconds"},
    {"set-wise", "the attacks of all sliders of a side at once"},
    {"shows from", "smaller differences than this cannot be seen in the situation"},
    {"sure", "no other method can be the fastest (95 %), and the comparison with the reference is decided"},
    {"that can be won", "the share of the reference's time that a method which costs nothing would save"},
    {"throughput", "queries that do not wait for each other: the processor works on several at once"},
    {"trace", "a list of the queries that an engine or a game asked, to be replayed"},
    {"unresolved", "identical code differed by more than the margin, and the method by no more than that code"},
    {"void", "the empty loop came out slower than a method: the cell says nothing"},
    {"withheld", "a check failed in the situation, so there is no answer for it"},
};

}  // namespace

std::string glossary_text(std::size_t width) {
  std::string text;
  for (const Entry& entry : entries) {
    text += wrapped(std::string(entry.word) + ": " + std::string(entry.meaning) + ".", width, 2) + "\n";
  }
  return text;
}

nlohmann::json glossary_json() {
  nlohmann::json words = nlohmann::json::object();
  for (const Entry& entry : entries) words[std::string(entry.word)] = entry.meaning;
  return words;
}

}  // namespace slidebench
