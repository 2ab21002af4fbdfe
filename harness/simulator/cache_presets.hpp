// SPDX-License-Identifier: MIT
//
// Named machines to simulate: each number with its source, and what had to be assumed.
//
// Replacement. Intel's L1 and older L2 are tree-PLRU by measurement (A. Abel, J. Reineke, nanoBench, ISPASS 2020, and
// https://uops.info/cache.html). Newer L2 and all L3 are QLRU or adaptive variants, simulated as LRU here. AMD and
// Apple say nothing: LRU is assumed. TLBs are taken as LRU. L3 slices are hashed in reality; here the index is the low
// bits of the physical line number.
#pragma once

#include <string_view>

namespace slidebench {

struct CachePreset {
  std::string_view name;
  std::string_view specification;  ///< see cache_spec.hpp
  std::string_view title;
  std::string_view source;
};

inline constexpr CachePreset cache_presets[] = {
    // Sizes, ways, "non-inclusive", and both DTLB levels for 4K and large pages (all 4-way): the manual. 16 ways of the
    // 4 MiB: 4,096 sets of 64 bytes. Replacement in L2: assumed tree-PLRU, as measured for a smaller Core 2.
    {"core2", "L1=32K/8:plru,L2=4M/16:plru,DTLB=16/4:2M=16/4,STLB=256/4:2M=32/4", "Core 2 Duo, 65 nm, 4 MiB (2006)",
     "Intel 64 and IA-32 Architectures Optimization Reference Manual, Intel Core microarchitecture, Advanced Memory "
     "Access; L2 assumed tree-PLRU"},
    // The second-level TLB holds 4K pages only. L3 is inclusive; its replacement is MRU-like by measurement.
    {"nehalem-i5", "L1=32K/8:plru,L2=256K/8:plru,L3=8M/16:inclusive,DTLB=64/4:2M=32/4,STLB=512/4:2M=none",
     "Core i5-750, Lynnfield (2009)",
     "Intel Optimization Reference Manual, Nehalem; ways of L3: uops.info; L3 assumed LRU"},
    // 3 MiB as in mobile Arrandale i5 and i3 (the full die has 4 MiB / 16); 12 ways keep its 4,096 sets.
    {"nehalem-i5-3m", "L1=32K/8:plru,L2=256K/8:plru,L3=3M/12:inclusive,DTLB=64/4:2M=32/4,STLB=512/4:2M=none",
     "Core i5-520M, Arrandale (2010)",
     "as nehalem-i5, with Intel's product page for the 3 MiB; 12 ways and LRU of L3 assumed"},
    {"skylake", "L1=32K/8:plru,L2=256K/4,L3=8M/16:inclusive,DTLB=64/4:2M=32/4,STLB=1536/12",
     "Core i7-6700, Skylake client (2015)",
     "Intel Optimization Reference Manual, Skylake client, cache and TLB tables; L1 tree-PLRU: uops.info; L2 and L3 "
     "assumed LRU"},
    // L1 is three trees of four in LRU order. L2 ways, L3 size and ways: of this very model, measured.
    {"icelake", "L1=48K/12:plru,L2=512K/8,L3=6M/12:inclusive,DTLB=64/4:2M=32/4,STLB=2048/16",
     "Core i5-1035G1, Ice Lake client (2019)",
     "https://uops.info/cache.html (i5-1035G1); TLBs: Intel Optimization Reference Manual, Ice Lake client; L2 and L3 "
     "assumed LRU"},
    // L3: 1.375 MiB and 11 ways a core; sixteen make 22 MiB. It holds what L2 evicts, if the hardware expects it to be
    // used again; here everything.
    {"skylake-sp", "L1=32K/8:plru,L2=1M/16,L3=22M/11:retaining,DTLB=64/4:2M=32/4,STLB=1536/12",
     "Xeon Gold 6130, Skylake-SP (2017)",
     "Intel Optimization Reference Manual, Skylake Server, cache comparison and \"Non-inclusive last level cache\"; L1 "
     "tree-PLRU as in the client core: uops.info; L2 and L3 assumed LRU, and that all evicted lines go to L3"},
    // 1.5 MiB and 12 ways a core, 32 of them.
    {"icelake-sp", "L1=48K/12:plru,L2=1280K/20,L3=48M/12:retaining,DTLB=64/4:2M=32/4,STLB=2048/16",
     "Xeon Gold 6338, Ice Lake-SP (2021)",
     "Intel Optimization Reference Manual, Ice Lake; Intel's product page; L1 tree-PLRU as in the client core: "
     "uops.info; the rest assumed as for skylake-sp"},
    // One core complex of four cores. WikiChip says 12 ways for the L2 DTLB, which 2,048 entries cannot have.
    {"zen2", "L1=32K/8,L2=512K/8:inclusive,L3=16M/16:victim,DTLB=64,STLB=2048/16", "Ryzen 3000, Zen 2 (2019)",
     "AMD Software Optimization Guide for Family 17h models 30h and greater (56305); https://7-cpu.com/cpu/Zen2.html; "
     "LRU assumed"},
    {"zen3", "L1=32K/8,L2=512K/8:inclusive,L3=32M/16:victim,DTLB=64,STLB=2048/16", "Ryzen 5000, Zen 3 (2020)",
     "AMD Software Optimization Guide for Family 19h (56665); LRU assumed"},
    // Entries, sizes, ways of the caches and inclusion: as CPUID of a Genoa reports them. 24 ways of the L2 DTLB: the
    // guide (CPUID's field has no such code and says 8).
    {"zen4", "L1=32K/8,L2=1M/8:inclusive,L3=32M/16:victim,DTLB=72,STLB=3072/24",
     "Ryzen 7000 and EPYC 9004, Zen 4 (2022)",
     "CPUID 80000005h, 80000006h and 8000001Dh of family 19h model 11h; AMD Software Optimization Guide for Zen 4 "
     "(57647); LRU assumed"},
    {"zen5", "L1=48K/12,L2=1M/16:inclusive,L3=32M/16:victim,DTLB=96,STLB=4096/16", "Ryzen 9000, Zen 5 (2024)",
     "B. Cohen, M. Subramony, Next Generation Zen 5 Core, Hot Chips 2024; AMD Software Optimization Guide for Zen 5 "
     "(58455); 16 ways of the L2 DTLB and LRU assumed"},
    // The Raspberry Pi 5's configuration. The L1D is "pseudo-LRU": a tree assumed. The L2 takes no part of what is
    // fetched only once ("dynamic biased replacement"): LRU assumed.
    {"cortex-a76", "L1=64K/4:plru,L2=512K/8:inclusive,L3=2M/16,DTLB=48,STLB=1280/5", "Cortex-A76, BCM2712 (2023)",
     "Arm Cortex-A76 Core Technical Reference Manual (100798), A5.2 TLB organization and A6.1; L2 inclusive of "
     "the L1D, ways of L3: WikiChip, Cortex-A76; 512 KiB and 2 MiB: Raspberry Pi's documentation; replacement beyond "
     "L1 assumed LRU"},
    // The L3 is the mesh's system-level cache.
    {"neoverse-n1", "L1=64K/4:plru,L2=1M/8:inclusive,L3=32M/16,DTLB=48,STLB=1280/5", "Neoverse N1, Graviton2 (2020)",
     "Arm Neoverse N1 Core Technical Reference Manual (100616); sizes and ways in Graviton2: Arm's "
     "learning path on its memory subsystem; a core like Cortex-A76's, so L1 tree-PLRU and inclusion as there; 16 ways "
     "of L3 and LRU assumed"},
    {"neoverse-v2", "L1=64K/4:plru,L2=2M/8:inclusive,L3=36M/18,DTLB=48,STLB=2048/8", "Neoverse V2, Graviton4 (2024)",
     "Arm Neoverse V2 Core Technical Reference Manual (102375); sizes in Graviton4: Arm's learning path on "
     "its memory subsystem; 18 ways of L3 (36 MiB need a multiple of nine), tree-PLRU in L1, inclusion and LRU "
     "assumed"},
    // A performance core. The L2 is shared by four of them, the system-level cache by the whole chip; pages of 16 KiB.
    {"apple-m1", "L1=128K/8/64,L2=12M/12/128,L3=8M/16/128,DTLB=256,STLB=3072/12,PAGE=16K", "Apple M1, Firestorm (2020)",
     "sizes and TLB entries: AnandTech, Apple M1/A14 deep dive (2020); reverse-engineered by others and uncertain: "
     "ways, lines, 160 instead of 256 first-level TLB entries; LRU assumed"},
};

}  // namespace slidebench
