# SPDX-License-Identifier: MIT
"""What is wrong with a sweep's configuration or with a result, in one line."""


class SweepError(Exception):
    """One line: what is wrong, where, what to do."""
