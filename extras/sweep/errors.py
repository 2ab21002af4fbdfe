# SPDX-License-Identifier: MIT
"""What is wrong with a sweep's configuration or with a result, in one line."""


class SweepError(Exception):
    """One line: what is wrong, where, what to do."""


def refuse(faults):
    """Raises SweepError with the first of some faults, if there is one."""
    for fault in faults:
        raise SweepError(fault)
