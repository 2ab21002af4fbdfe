// SPDX-License-Identifier: MIT
//
// The caches to simulate, as a user names them: "host", a preset, a specification, or a base with changes.
//
//   L1=48K/12/64,L2=1M/16,L3=32M/16:victim,DTLB=96,STLB=4096/16
//   skylake,L2=1M/16            Skylake with another L2
//   zen3,L3=none,STLB=none      without these levels
//
//   a cache    SIZE/WAYS[/LINE][:option...]   SIZE in bytes or with K, M, G; WAYS a number or "full"; LINE in bytes,
//              64 (in the first level) or the line of the level above, unless given
//              options: lru (default) or plru; noninclusive (default), inclusive, victim or retaining
//   a TLB      ENTRIES[/WAYS][:2M=ENTRIES[/WAYS] | :2M=none]   without WAYS fully associative; 2 MiB pages share the
//              entries, have entries of their own, or none
//   PAGE=SIZE  the base page, 4K unless given
//
// L1 is needed. What is not named does not exist (or is the base's).
#pragma once

#include <string>

#include "harness/simulator/cache_system.hpp"

namespace slidebench {

/// @throws UserError  one line, for anything else and for impossible geometries
CacheSystem parse_cache_system(const std::string& text);

/// The specification of a system, complete and in one order: what parse_cache_system() takes, and a report prints.
std::string specification(const CacheSystem& system);

}  // namespace slidebench
