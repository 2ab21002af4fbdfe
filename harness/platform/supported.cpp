// SPDX-License-Identifier: MIT
//
// One clear message where slidebench cannot be built, instead of a page of others.

#if !defined(__linux__)
#error "slidebench needs Linux: harness/README.md lists what it uses of it, and what a port has to replace"
#endif

#include <features.h>

#if !defined(__GLIBC__) && !defined(SLIDEBENCH_UNTESTED_LIBC)
#error \
    "slidebench is tested with the GNU C library alone; musl's dlclose(), for one, unloads no module. To try: -DSLIDEBENCH_UNTESTED_LIBC"
#endif

#include <bit>

static_assert(std::endian::native == std::endian::little,
              "traces are little-endian files that are mapped, not converted");
static_assert(sizeof(void*) == 8, "bitboards are 64-bit words, and tables of gigabytes are mapped");
