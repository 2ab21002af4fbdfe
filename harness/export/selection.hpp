// SPDX-License-Identifier: MIT
//
// What of a method's declarations an export needs: all that is reached from the functions asked for, and nothing else.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/export/front_end.hpp"

namespace slidebench {

using Declarations = std::set<const Declaration*>;

struct Selection {
  const Declaration* method = nullptr;  ///< the method's struct
  Declarations opened;                  ///< structs whose members become functions and variables of the namespace
  Declarations asked;                   ///< members that were asked for; their names are kept
  Declarations reached;
  Declarations by_queries;                           ///< functions that run when a query does
  Declarations at_compile_time;                      ///< functions that constants are computed by
  std::vector<const Declaration*> order;             ///< what stands at namespace level, each after what it uses
  std::map<const Declaration*, Declarations> needs;  ///< of those, what must stand before each
};

/// Selects from what was read. `asked` are names of members of the method's struct; those that it has not are left out.
Selection select(const FrontEndResult& read, std::string_view type, const std::vector<std::string>& asked);

/// The member of that name, of the struct or of one of its bases; nothing if there is none.
const Declaration* member_named(const Declaration& record, std::string_view name);

/// The declaration around it that stands at namespace level once structs are opened.
const Declaration& outermost(const Declaration& declaration, const Declarations& opened);

}  // namespace slidebench
