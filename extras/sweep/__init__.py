# SPDX-License-Identifier: MIT
"""Sweeps beyond one machine: what the workflow of this folder (Snakefile) plans, runs, checks and merges."""
