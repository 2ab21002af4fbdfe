// SPDX-License-Identifier: MIT
//
// Included first by a module's source files: where their code lies. All code that follows lies 16 bytes further on a
// placement, the constants some cache lines further. The build passes SLIDEBENCH_PLACEMENT, 0 for the plain placement.
#pragma once

#if SLIDEBENCH_PLACEMENT > 0
#define SLIDEBENCH_TEXT_OF(x) #x
#define SLIDEBENCH_TEXT(x) SLIDEBENCH_TEXT_OF(x)
asm(".text\n\t.skip 16 * " SLIDEBENCH_TEXT(SLIDEBENCH_PLACEMENT) "\n\t"
    ".section .rodata\n\t.skip 448 * " SLIDEBENCH_TEXT(SLIDEBENCH_PLACEMENT) "\n\t.text");
#undef SLIDEBENCH_TEXT
#undef SLIDEBENCH_TEXT_OF
#endif
