# SPDX-License-Identifier: MIT
"""Studies of what was measured, beside the report of a run, on the same data, words and style."""
