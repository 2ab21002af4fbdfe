# SPDX-License-Identifier: MIT
"""Engines that are not ours: builds that differ in placement alone, and builds with other attack code."""
