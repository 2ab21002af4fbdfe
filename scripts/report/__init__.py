# SPDX-License-Identifier: MIT
"""The report of a run or a simulation: data, analysis, figures and page; each package needs only those before it."""
