# SPDX-License-Identifier: MIT
"""Windows programs on Linux, for tests: compiled by MinGW-w64, run by Wine without a display."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

COMPILERS = {"c": "x86_64-w64-mingw32-gcc-posix", "c++": "x86_64-w64-mingw32-g++-posix"}
# Nothing of GCC's has to be found beside the program. And as GCC may put vectors on Windows' stack, which is aligned to 16 bytes
# alone (GCC bug 54412), the assembler makes all moves of vectors unaligned ones, which are as fast.
OPTIONS = ["-static", "-Wa,-muse-unaligned-vector-move"]
# Debian's wine64 puts both programs aside.
FOLDERS = f"{os.environ.get('PATH', '')}:/usr/lib/wine"
LOADER = shutil.which("wine64", path=FOLDERS)
SERVER = shutil.which("wineserver64", path=FOLDERS) or shutil.which("wineserver", path=FOLDERS)


def missing():
    """Why there are no Windows programs here, in one line; nothing where there are."""
    lacking = [compiler for compiler in COMPILERS.values() if not shutil.which(compiler)]
    if not LOADER or not SERVER:
        lacking.append("wine64")
    return f"needs {', '.join(lacking)}: scripts/install_deps.sh --windows" if lacking else ""


def skip_if_missing():
    """Ends a test program that has just started, with one line and a status that CTest takes for skipped, where there are none."""
    if missing():
        print(f"skipped: {missing()}")
        sys.exit(77)


class Wine:
    """A Windows of its own in a temporary folder, until close(). It starts without a display, Mono, a browser or a menu."""

    def __init__(self):
        self.prefix = pathlib.Path(tempfile.mkdtemp(prefix="slidebench-wine-"))
        shown = ("DISPLAY", "WAYLAND_DISPLAY")
        self.environment = {name: value for name, value in os.environ.items() if name not in shown} | {
            "WINEPREFIX": str(self.prefix), "WINEARCH": "win64", "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe="}
        try:
            if self.run("wineboot", "--init", timeout=300).returncode != 0:
                raise OSError(f"{LOADER} cannot make a Windows in {self.prefix}")
        except BaseException:
            self.close()
            raise

    def run(self, program, *arguments, timeout=120, **options):
        """Runs a program to its end; returns it with what it printed, lines ending as on Linux. Into files: Wine's own processes,
        which outlive it, would hold a pipe open."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            done = subprocess.run([LOADER, program, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                  env=self.environment, timeout=timeout, check=False, **options)
            for name, file in (("stdout", out), ("stderr", err)):
                file.seek(0)
                setattr(done, name, file.read().decode(errors="replace").replace("\r\n", "\n"))
        return done

    def close(self):
        """Ends all that runs in this Windows, and removes it."""
        subprocess.run([SERVER, "--kill"], env=self.environment, check=False, timeout=60)
        subprocess.run([SERVER, "--wait"], env=self.environment, check=False, timeout=60)
        shutil.rmtree(self.prefix, ignore_errors=True)
