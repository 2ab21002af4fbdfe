# SPDX-License-Identifier: MIT
"""How much of slidebench MinGW-w64 compiles, room by room, and what the rest lacks first: a table in Markdown, for windows.md.

Headers of libraries are those of Linux: whether there are such libraries for Windows is another question.

Usage: windows_rooms.py [--write]     --write puts it into windows.md
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import wine

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(__file__).with_name("windows.md")
HEADERS = ("nlohmann", "CLI", "boost", "libfccp", "xxhash.h", "zstd.h", "zstd_errors.h", "archive.h", "archive_entry.h", "nettle",
           "hwloc.h", "hwloc", "papi.h", "papiStdEventDefs.h", "Zydis", "Zycore", "capstone")
# For other processors, targets of fuzzing, and what is for Windows or a browser anyway.
ELSEWHERE = re.compile(r"_test\.cpp$|AArch64|arm_cores|supported\.cpp|/(fuzz|wasm|faults|windows)/")
LACKING = re.compile(r"fatal error: ([\w/.]+): No such file"
                     r"|error: '(?:::)?(\w+)' (?:was not declared|has not been declared|does not name a type|is not a member)"
                     r"|error: [^\n]*(wchar_t)|error: [^\n]*'(?:struct )?[\w:{} ]*\b(sigaction|siginfo_t)'")


def rooms():
    """The rooms in their order."""
    listed = re.findall(r"^add_subdirectory\((\w+)\)$", (ROOT / "harness/CMakeLists.txt").read_text(), re.MULTILINE)
    return [room for room in listed if sources(room)]


def sources(room):
    """The files of a room that a port to Windows would compile."""
    return [path for path in sorted((ROOT / "harness" / room).rglob("*.cpp")) if not ELSEWHERE.search(str(path))]


def lacking(source, headers):
    """What keeps a file from being compiled, as its first error tells; nothing if it is."""
    command = [wine.COMPILERS["c++"], "-std=c++20", f"-I{ROOT}", "-isystem", headers, '-DSLIDEBENCH_VERSION=""', "-fsyntax-only"]
    done = subprocess.run([*command, source], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if done.returncode == 0:
        return None
    found = LACKING.search(done.stderr)
    return next(name for name in found.groups() if name) if found else "others"


def row(room, found):
    """A line of the table."""
    lacks = collections.Counter(name for name in found if name)
    text = ", ".join(f"`{name}`" + (f" ({number})" if number > 1 else "") for name, number in lacks.most_common())
    return f"| `{room}` | {found.count(None)} of {len(found)} | {text} |"


def table():
    """A line a room."""
    lines = ["| room | files that compile | what each of the others lacks first (how many) |", "|---|---:|---|"]
    with tempfile.TemporaryDirectory() as headers, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name in HEADERS:
            os.symlink(pathlib.Path("/usr/include", name), pathlib.Path(headers, name))
        for room in rooms():
            lines.append(row(room, list(pool.map(lambda source: lacking(source, headers), sources(room)))))
    return "\n".join(lines)


def main():
    if wine.missing():
        sys.exit(f"windows_rooms.py: {wine.missing()}")
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    text = table()
    if "--write" not in sys.argv:
        print(text)
        return
    page = PAGE.read_text()
    PAGE.write_text(re.sub(r"(<!-- rooms -->\n).*?(<!-- end rooms -->)", lambda m: f"{m[1]}{text}\n{m[2]}", page, flags=re.S))


if __name__ == "__main__":
    main()
