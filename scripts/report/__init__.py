# SPDX-License-Identifier: MIT
"""The report of a run or a simulation: data, analysis, figures and page, each in a package that needs only those before it."""
