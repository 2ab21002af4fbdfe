# SPDX-License-Identifier: MIT
"""Recipes: how an engine's source is had and built, and what is put where to exchange its attack code or to record it.

README.md beside this file lists the keys.
"""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from report.errors import ReportError

RECIPES = Path(__file__).resolve().parent / "recipes"
ENCODING = "latin-1"  # of sources: every byte is a character, and stays as it is
GROUPS = ("prepare", "exchange", "record")
TEXTS = ("binary", "folder", "build")


@dataclass
class Substitution:
    """Every place of a file that a pattern finds, and what stands there afterwards."""

    file: str
    pattern: str
    replacement: str


@dataclass
class Recipe:
    """An engine. `network` is empty where the build needs none."""

    name: str
    binary: str
    folder: str
    build: str
    package: str
    prepare: list
    exchange: list
    record: list
    network: dict = field(default_factory=dict)


def path_of(name):
    """The file of a recipe: a path, or the name of one that is here. ReportError where there is none."""
    for path in (Path(name), RECIPES / f"{name}.toml"):
        if path.is_file():
            return path
    here = ", ".join(sorted(path.stem for path in RECIPES.glob("*.toml")))
    raise ReportError(f"{name}: no such recipe; give a file, or one of {here}")


def substitutions_of(path, data, group):
    """The substitutions of a group; ReportError for one that lacks a word or has a pattern that is none."""
    found = []
    for number, entry in enumerate(data.get(group, []), 1):
        try:
            found.append(Substitution(entry["file"], entry["pattern"], entry["replacement"]))
            re.compile(entry["pattern"])
        except (KeyError, TypeError, re.error) as error:
            raise ReportError(f"{path}: {group} {number}: needs file, pattern and replacement: {error}") from None
    return found


def load(name):
    """A recipe, by its name or path. ReportError where it cannot be read."""
    path = path_of(name)
    try:
        data = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ReportError(f"{path}: cannot be read as TOML: {error}") from None
    for key in TEXTS:
        if not isinstance(data.get(key), str):
            raise ReportError(f"{path}: needs the text '{key}'")
    groups = {group: substitutions_of(path, data, group) for group in GROUPS}
    return Recipe(path.stem, *(data[key] for key in TEXTS), data.get("package", ""), **groups, network=data.get("network", {}))


def substitute(recipe, group, folder):
    """Does the substitutions of a group in a copy of the source. ReportError for one that finds no place."""
    for wanted in getattr(recipe, group):
        path = folder / wanted.file
        try:
            text = path.read_text(encoding=ENCODING)
        except OSError as error:
            raise ReportError(f"recipe {recipe.name}: {wanted.file}: cannot be read ({error.strerror}); another version?") from None
        try:
            changed, count = re.subn(wanted.pattern, wanted.replacement, text)
        except (re.error, IndexError) as error:
            raise ReportError(f"recipe {recipe.name}: {wanted.file}: {wanted.replacement!r} is no replacement: {error}") from None
        if count == 0:
            raise ReportError(f"recipe {recipe.name}: {wanted.file} has no place '{wanted.pattern}'; another version?")
        path.write_text(changed, encoding=ENCODING)
