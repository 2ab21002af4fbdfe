# SPDX-License-Identifier: MIT
"""The methods as `slidebench export` writes them, in each language that offers them."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

from report.errors import ReportError

LANGUAGES = {"c++17": "C++17", "c11": "C11", "rust": "Rust"}


def exports(program, methods):
    """dict method -> dict language -> text. ReportError: the program cannot be started, or exports none of them."""
    wanted = [(method, language) for method in methods for language in LANGUAGES]
    with ThreadPoolExecutor() as pool:
        texts = list(pool.map(lambda each: _exported(program, *each), wanted))
    found = {method: {} for method in methods}
    for (method, language), text in zip(wanted, texts):
        if text is not None:
            found[method][language] = text
    if not any(found.values()):
        raise ReportError(f"{program}: exports no method; give --program a slidebench that was built with its exporter")
    return found


def _exported(program, method, language):
    """One export, text; None where the language does not offer the method."""
    command = [program, "export", method, "--language", language]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ReportError(f"{program}: cannot be started ({error.strerror}); give --program the slidebench") from None
    return done.stdout if done.returncode == 0 else None
