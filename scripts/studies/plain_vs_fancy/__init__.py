# SPDX-License-Identifier: MIT
"""Plain against fancy magic, the question of 2010: measured and simulated."""
