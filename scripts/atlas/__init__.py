# SPDX-License-Identifier: MIT
"""What the atlas of the methods is made of: facts from the headers, the module and committed data."""
