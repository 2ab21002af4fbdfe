# SPDX-License-Identifier: MIT
"""An engine's source, as the distribution has it."""

import pathlib
import re
import shutil
import subprocess


class NotHere(Exception):
    """The source cannot be had; the message says why."""


def scratch_apt(work):
    """`apt-get` that keeps its lists in a scratch folder, is asked for sources there, and changes nothing of the system."""
    parts = work / "apt" / "parts"
    for folder in (parts, work / "apt" / "lists" / "partial", work / "apt" / "cache" / "archives" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    known = [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*")]
    for path in known:
        if path.suffix == ".sources":
            (parts / path.name).write_text(re.sub(r"(?m)^Types:.*", "Types: deb-src", path.read_text()))
        elif path.suffix == ".list" and path.exists():
            (parts / path.name).write_text(re.sub(r"(?m)^deb ", "deb-src ", path.read_text()))
    options = {"Dir::Etc::SourceList": "/dev/null", "Dir::Etc::SourceParts": parts, "Dir::State::Lists": work / "apt" / "lists",
               "Dir::Cache": work / "apt" / "cache", "Acquire::Retries": 0, "Acquire::http::Timeout": 20,
               "Acquire::https::Timeout": 20, "APT::Sandbox::User": "root"}
    return ["apt-get", "-q", *(f"-o{name}={value}" for name, value in options.items())]


def unpacked(work, package):
    """The folder of a source that lies there already; None: there is none."""
    return next((path for path in sorted(work.glob(f"{package}-*")) if path.is_dir()), None)


def fetch(work, package):
    """The folder of a package's unpacked source below a scratch folder, fetched if it is not there. NotHere if it cannot be."""
    if source := unpacked(work, package):
        return source
    if not shutil.which("apt-get") or not shutil.which("dpkg-source"):
        raise NotHere("apt-get and dpkg-source are needed to fetch the engine's source")
    apt, complaints = scratch_apt(work), ""
    for command in (["update"], ["source", "--only-source", package]):
        done = subprocess.run([*apt, *command], cwd=work, capture_output=True, text=True, check=False)
        complaints += done.stderr  # an update without a network succeeds, and says so only here
        if done.returncode != 0:
            reason = (complaints.strip() or "apt-get failed").splitlines()[0]
            raise NotHere(f"the source package {package} cannot be fetched: {reason}")
    if source := unpacked(work, package):
        return source
    raise NotHere(f"the source package {package} was fetched, but not unpacked")
