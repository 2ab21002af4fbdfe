# SPDX-License-Identifier: MIT
"""What the pages of the web are made of: facts from the headers, the modules and committed data. Their templates are found beside
the report's."""

from pathlib import Path

from report.page.html import ENVIRONMENT

ENVIRONMENT.loader.searchpath.append(str(Path(__file__).resolve().parent.parent / "templates"))
