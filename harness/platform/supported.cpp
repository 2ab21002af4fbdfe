// SPDX-License-Identifier: MIT
//
// One clear message where slidebench cannot be built, instead of a page of others.
#include <features.h>

#if !defined(__GLIBC__) && !defined(SLIDEBENCH_UNTESTED_LIBC)
#error \
    "slidebench is tested with the GNU C library alone; musl's dlclose(), for one, unloads no module. To try: -DSLIDEBENCH_UNTESTED_LIBC"
#endif

static_assert(sizeof(void*) == 8, "bitboards are 64-bit words, and tables of gigabytes are mapped");
