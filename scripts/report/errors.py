# SPDX-License-Identifier: MIT
"""The one error a report shows to its user. A module of its own, because it must load without any package."""


class ReportError(Exception):
    """Something the user can put right. Its text is one line: what, where, what to do."""
