// SPDX-License-Identifier: MIT
#include "harness/statistics/cell.hpp"

#include <array>
#include <charconv>
#include <tuple>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

constexpr std::string_view threats_suffix = "-threats", batch_suffix = "-batch", sliders_suffix = "-slider";
constexpr std::array<const char*, query_kinds> kind_names{"bishop", "rook", "queen", "both"};
constexpr const char* perft_positions = "positions";

std::string kinds_of(const ReplayCell& cell) {
  if (cell.sliders > 0)
    return std::to_string(cell.sliders) + std::string(sliders_suffix) + (cell.sliders == 1 ? "" : "s");
  return cell.kind ? kind_names.at(static_cast<std::size_t>(*cell.kind)) : "all";
}

/// Of a batch, how many sliders it has: of "all" 0, which stands for all that there are.
unsigned parse_sliders(const std::string& name) {
  if (name == "all") return 0;
  ReplayCell cell;
  std::from_chars(name.data(), name.data() + name.size(), cell.sliders);
  if (cell.sliders == 0 || cell.sliders > SliderBatch::capacity || name != kinds_of(cell)) {
    throw UserError("'" + name + "' is no batch; a batch has 1 to " + std::to_string(SliderBatch::capacity) +
                    " sliders, or all");
  }
  return cell.sliders;
}

/// What is no replay has one name alone.
void check_only(const std::string& name, const char* usual) {
  if (name != usual) throw UserError("'" + name + "' where only '" + usual + "' can stand");
}

/// Workload, kinds, trace and pressure.
using Names = std::tuple<std::string_view, std::string, std::string, std::string_view>;

Names parts_of(const ReplayCell& cell) { return {cell.workload->name, kinds_of(cell), cell.trace, cell.pressure.name}; }
Names parts_of(const SearchCell& cell) { return {engine_workload, "all", to_string(cell.form), "isolated"}; }
Names parts_of(const PerftCell& cell) {
  return {cell.cold ? cold_perft_workload : perft_workload, "all", perft_positions, "isolated"};
}
Names parts_of(const DuelCell& cell) { return {duel_workload, "all", cell.limit, "isolated"}; }

std::tuple<Names, std::string_view, unsigned> key_of(const Cell& cell) {
  return {std::visit([](const auto& what) { return parts_of(what); }, cell.what), cell.pages, cell.corunners};
}

}  // namespace

std::string to_string(const EngineForm& form) {
  return "net" + std::to_string(form.net) + std::string(form.threats ? threats_suffix : "") +
         std::string(form.batch ? batch_suffix : "");
}

EngineForm parse_engine_form(const std::string& name) {
  EngineForm form;
  std::string_view rest = name;
  const auto refuse = [&name] {
    return UserError("unknown form of the engine '" + name + "'; use net0, or net and a multiple of 128 up to 8192");
  };
  if (!rest.starts_with("net")) throw refuse();
  rest.remove_prefix(3);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), form.net);
  if (error != std::errc{} || form.net % 128 != 0 || form.net > 8192) throw refuse();
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  form.batch = rest.ends_with(batch_suffix);
  if (form.batch) rest.remove_suffix(batch_suffix.size());
  form.threats = rest == threats_suffix && form.net != 0;
  if (!rest.empty() && !form.threats) throw refuse();
  return form;
}

std::optional<QueryKind> parse_kind(const std::string& name) {
  if (name == "all") return std::nullopt;
  for (unsigned kind = 0; kind < query_kinds; ++kind) {
    if (name == kind_names[kind]) return static_cast<QueryKind>(kind);
  }
  throw UserError("unknown kind of query '" + name + "'; the kinds are all, bishop, rook, queen, both");
}

CellText names_of(const Cell& cell) {
  const auto& [parts, pages, corunners] = key_of(cell);
  const auto& [workload, kinds, trace, pressure] = parts;
  return {std::string(workload), kinds, trace, std::string(pressure), std::string(pages), corunners};
}

bool operator==(const Cell& a, const Cell& b) { return key_of(a) == key_of(b); }

bool operator<(const Cell& a, const Cell& b) { return key_of(a) < key_of(b); }

void read_workload(Cell& cell, const std::string& name) {
  if (name == engine_workload)
    cell.what = SearchCell{};
  else if (name == perft_workload || name == cold_perft_workload)
    cell.what = PerftCell{.cold = name == cold_perft_workload};
  else if (name == duel_workload)
    cell.what = DuelCell{};
  else if (const Workload* workload = find_workload(name))
    cell.what = ReplayCell{.workload = workload};
  else
    throw UserError("unknown workload '" + name + "'");
}

void read_kinds(Cell& cell, const std::string& name) {
  auto* replay = std::get_if<ReplayCell>(&cell.what);
  if (replay == nullptr)
    check_only(name, "all");
  else if (replay->workload->unit == Workload::Unit::slider)
    replay->sliders = parse_sliders(name);
  else
    replay->kind = parse_kind(name);
}

void read_trace(Cell& cell, const std::string& name) {
  if (auto* replay = std::get_if<ReplayCell>(&cell.what))
    replay->trace = name;
  else if (auto* search = std::get_if<SearchCell>(&cell.what))
    search->form = parse_engine_form(name);
  else if (auto* duel = std::get_if<DuelCell>(&cell.what))
    duel->limit = name;
  else
    check_only(name, perft_positions);
}

void read_pressure(Cell& cell, const std::string& name) {
  if (auto* replay = std::get_if<ReplayCell>(&cell.what))
    replay->pressure = parse_pressure(name);
  else
    check_only(name, "isolated");
}

Cell cell_of(const CellText& names) {
  Cell cell{.what = {}, .pages = names.pages, .corunners = names.corunners};
  read_workload(cell, names.workload);
  read_kinds(cell, names.kinds);
  read_trace(cell, names.trace);
  read_pressure(cell, names.pressure);
  return cell;
}

void to_json(nlohmann::json& to, const Cell& cell) { to = names_of(cell); }

void from_json(const nlohmann::json& from, Cell& cell) { cell = cell_of(from.get<CellText>()); }

std::string to_string(const Cell& cell) {
  const CellText names = names_of(cell), usual;
  std::string text = names.workload;
  if (names.kinds != usual.kinds) text += " of " + names.kinds;
  text += ", trace " + names.trace + ", " + names.pressure;
  if (names.pages != usual.pages) text += ", pages of " + names.pages;
  if (names.corunners == 1) text += ", 1 co-runner";
  if (names.corunners > 1) text += ", " + std::to_string(names.corunners) + " co-runners";
  return text;
}

}  // namespace slidebench
