# SPDX-License-Identifier: MIT
"""The distribution's Rust compiler, and what it is told for each exported method. For test_rust.py and measure_rust.py."""

import pathlib
import re
import shutil
import subprocess

# Until Rust 1.89 the intrinsics of AVX-512 and GFNI belong to its nightly builds. An older compiler is taken for one here, and
# only here: an engine takes a newer one. It knows GFNI by another name.
STABLE_SINCE = 89
MODULE_CRATE = '#![no_std]\n#[path = "{path}"]\npub mod {module};\n'


class Compiler:
    """rustc and Clippy of one folder. Attributes: rustc, clippy (None if it is not there), minor (63 of 1.63), llvm (14)."""

    def __init__(self, rustc):
        self.rustc = rustc
        clippy = pathlib.Path(rustc).with_name("clippy-driver")
        self.clippy = str(clippy) if clippy.exists() else None
        said = subprocess.run([rustc, "--version", "--verbose"], capture_output=True, text=True, check=True).stdout
        self.minor = int(re.search(r"^release: 1\.(\d+)", said, re.MULTILINE)[1])
        self.llvm = int(re.search(r"^LLVM version: (\d+)", said, re.MULTILINE)[1])
        self.sysroot = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()

    def machine(self, isa, level=None):
        """Options for a method that needs these instruction sets (as `slidebench list` names them), at a level or its lowest."""
        level = level or ("v4" if any(name.startswith("avx512") for name in isa) else "v3")
        options = [f"-Ctarget-cpu=x86-64-{level}"]
        if "gfni" in isa:
            old = self.minor < STABLE_SINCE
            options += ["-Ctarget-feature=+avx512gfni", '--cfg=target_feature="gfni"'] if old else ["-Ctarget-feature=+gfni"]
        if self.needs_nightly(isa):
            options.append("-Zcrate-attr=feature(stdsimd)")
        return options

    def needs_nightly(self, isa):
        """Whether this compiler has the intrinsics of these instruction sets in its nightly builds only."""
        return self.minor < STABLE_SINCE and any(name.startswith(("avx512", "gfni")) for name in isa)


def distribution_compiler():
    """The Compiler of the distribution's packages, else the one on the path, or None."""
    found = shutil.which("rustc", path="/usr/bin") or shutil.which("rustc")
    return Compiler(found) if found else None
