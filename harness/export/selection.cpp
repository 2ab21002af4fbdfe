// SPDX-License-Identifier: MIT
#include "harness/export/selection.hpp"

#include <algorithm>
#include <stdexcept>

namespace slidebench {
namespace {

const Declaration* top_level(const FrontEndResult& read, std::string_view name) {
  for (const auto& declaration : read.declarations) {
    if (declaration->name == name && declaration->scope.empty()) return declaration.get();
  }
  return nullptr;
}

/// Whether a struct is a name in front of static members and nothing else.
bool is_only_a_scope(const Declaration& record, const Declarations& reached) {
  if (record.kind != Declaration::Kind::record || record.is_template || record.has_template_base ||
      record.parent != nullptr)
    return false;
  const auto has_object = [](const auto& member) {
    return member->is_instantiated && member->kind == Declaration::Kind::function;
  };
  if (record.is_instantiated || std::any_of(record.members.begin(), record.members.end(), has_object)) return false;
  for (const Declaration* user : reached) {
    for (std::size_t i = 0; user != &record && i + 1 < user->tokens.size(); ++i) {
      if (user->tokens[i].text == record.name && user->tokens[i].kind == Token::Kind::name &&
          user->tokens[i + 1].text != "::")
        return false;
    }
  }
  return !record.members.empty();
}

/// The method's struct and its bases, where nothing about them depends on a template's arguments.
Declarations opened_of(const Declaration& method) {
  Declarations opened;
  std::vector<const Declaration*> open{&method};
  while (!open.empty()) {
    const Declaration* record = open.back();
    open.pop_back();
    if (record->has_template_base || record->is_template) return {};
    opened.insert(record);
    open.insert(open.end(), record->bases.begin(), record->bases.end());
  }
  return opened;
}

bool is_member_of(const Declaration& declaration, std::string_view record) {
  return declaration.parent != nullptr && declaration.parent->name == record;
}

/// Tables become arrays (plain_code.hpp), and of their accessors the vector loads alone remain; a method's description
/// goes, and with it the operators on its instruction sets, the only ones at namespace level.
bool is_replaced(const Declaration& declaration) {
  const bool of_table =
      declaration.name == "Table" || (declaration.parent != nullptr && is_replaced(*declaration.parent));
  const bool of_description = declaration.parent == nullptr && declaration.name.starts_with("operator");
  return of_table || of_description || declaration.name == "info" || declaration.name == "tables";
}

/// What a declaration uses once tables are arrays: of the accessors the vector loads that they were made of.
std::vector<const Declaration*> used_by(const Declaration& declaration) {
  std::vector<const Declaration*> used;
  for (const Declaration* use : declaration.uses) {
    if (!is_replaced(*use)) used.push_back(use);
    for (const Declaration* load : use->uses) {
      if (is_member_of(*use, "Table") && is_member_of(*load, "VectorLoads")) used.push_back(load);
    }
  }
  return used;
}

/// Adds what is reached from a declaration. `through` says whether to go on at one.
template <class Through>
void reach(const Declaration* from, Declarations& reached, const Through& through) {
  std::vector<const Declaration*> open{from};
  while (!open.empty()) {
    const Declaration* declaration = open.back();
    open.pop_back();
    if (!through(*declaration) || !reached.insert(declaration).second) continue;
    const std::vector<const Declaration*> used = used_by(*declaration);
    open.insert(open.end(), used.begin(), used.end());
    if (declaration->parent != nullptr) open.push_back(declaration->parent);
  }
}

bool is_inside(const Declaration* declaration, const Declaration& outer) {
  while (declaration != nullptr && declaration != &outer) declaration = declaration->parent;
  return declaration != nullptr;
}

/// Puts a declaration behind all that it uses; a circle (a struct that is its own base's argument) is cut anywhere.
void put(const Declaration& declaration, Selection& selection, Declarations& seen) {
  if (!seen.insert(&declaration).second) return;
  std::vector<const Declaration*> uses;
  for (const Declaration* part : selection.reached) {
    if (!is_inside(part, declaration)) continue;
    const std::vector<const Declaration*> used = used_by(*part);
    uses.insert(uses.end(), used.begin(), used.end());
  }
  std::sort(uses.begin(), uses.end(), [](const Declaration* a, const Declaration* b) { return a->number < b->number; });
  for (const Declaration* used : uses) {
    if (!selection.reached.contains(used)) continue;
    const Declaration& outer = outermost(*used, selection.opened);
    if (selection.opened.contains(&outer) || &outer == &declaration) continue;
    put(outer, selection, seen);
    // In a circle the other one stands behind.
    if (std::find(selection.order.begin(), selection.order.end(), &outer) != selection.order.end())
      selection.needs[&declaration].insert(&outer);
  }
  selection.order.push_back(&declaration);
}

}  // namespace

const Declaration& outermost(const Declaration& declaration, const Declarations& opened) {
  const Declaration* outer = &declaration;
  while (outer->parent != nullptr && !opened.contains(outer->parent)) outer = outer->parent;
  return *outer;
}

const Declaration* member_named(const Declaration& record, std::string_view name) {
  for (const auto& member : record.members) {
    if (member->name == name) return member.get();
  }
  for (const Declaration* base : record.bases) {
    if (const Declaration* found = member_named(*base, name)) return found;
  }
  return nullptr;
}

Selection select(const FrontEndResult& read, std::string_view type, const std::vector<std::string>& asked) {
  Selection selection;
  selection.method = top_level(read, type);
  if (selection.method == nullptr) throw std::logic_error("no struct " + std::string(type));
  selection.opened = opened_of(*selection.method);
  const auto is_opened = [&selection](const Declaration& d) { return selection.opened.contains(&d); };
  const auto anything = [&](const Declaration& d) { return !is_opened(d); };
  const auto at_run_time = [&](const Declaration& d) { return !is_opened(d) && !d.is_constant; };
  std::vector<const Declaration*> roots;
  for (const char* name : {"Bitboard", "Square", "BishopRook"}) roots.push_back(top_level(read, name));
  if (std::find(asked.begin(), asked.end(), "batch") != asked.end()) {
    for (const char* name : {"SliderBatch", "batch_by_queries"}) roots.push_back(top_level(read, name));
    for (const auto& part : top_level(read, "SliderBatch")->members) roots.push_back(part.get());
  }
  const bool derives_sets = std::find(asked.begin(), asked.end(), "set_attacks") != asked.end() &&
                            member_named(*selection.method, "set_attacks") == nullptr;
  if (derives_sets) {
    roots.push_back(top_level(read, "pop_lowest"));
    reach(roots.back(), selection.by_queries, at_run_time);
  }
  if (!is_opened(*selection.method)) roots.push_back(selection.method);
  for (const std::string& name : asked) {
    const Declaration* member = member_named(*selection.method, name);
    if (member == nullptr) continue;
    roots.push_back(member);
    selection.asked.insert(member);
    if (name == "Board") {
      for (const auto& part : member->members) roots.push_back(part.get());
    }
    if (name != "init") reach(member, selection.by_queries, at_run_time);
  }
  for (const Declaration* root : roots) reach(root, selection.reached, anything);
  const Declarations all = selection.reached;
  for (const Declaration* record : all) {
    if (is_only_a_scope(*record, all)) selection.opened.insert(record);
  }
  for (const Declaration* reached : selection.reached) {
    const bool stays = reached->parent != nullptr && !is_opened(*reached->parent);
    const bool computes = reached->is_constant || reached->kind == Declaration::Kind::record || reached->is_template ||
                          stays || std::count_if(reached->tokens.begin(), reached->tokens.end(), [](const Token& t) {
                                     return t.text == "constexpr";
                                   }) > 1;
    if (!computes) continue;
    for (const Declaration* used : used_by(*reached)) reach(used, selection.at_compile_time, anything);
  }
  Declarations seen;
  for (const Declaration* root : roots) {
    const Declaration& outer = outermost(*root, selection.opened);
    put(outer, selection, seen);
  }
  return selection;
}

}  // namespace slidebench
