/* SPDX-License-Identifier: MIT
 *
 * What the doses of this module are, once: the method is compiled into two files of it. */
#define SLIDEBENCH_DOSE
#define SLIDEBENCH_RECORD_IMPLEMENTATION
#include "harness/record/slidebench_record.h"
