# SPDX-License-Identifier: MIT
"""What a linker is asked to do: the words of its command line, read as GNU ld, gold and lld read them."""

import os
import shlex

# A word after one of these is its value, and no input.
VALUED = {"-o", "--output", "-Map", "--Map", "-e", "--entry", "-u", "--undefined", "-T", "--script", "-L", "-l", "-m", "-z", "-h",
          "-soname", "-rpath", "--rpath", "-rpath-link", "--rpath-link", "-dynamic-linker", "--dynamic-linker", "-plugin",
          "--plugin", "-plugin-opt", "--plugin-opt", "-y", "-R", "--just-symbols", "-A", "-b", "--format", "--version-script",
          "--dynamic-list", "--dependency-file", "--defsym", "-defsym", "--wrap", "-wrap", "-mllvm", "-init", "-fini"}  # fmt: skip
OUTPUTS = ("-o", "--output")
# What a linker writes beside its output, and must not write once more.
BESIDE = ("-Map", "--Map", "--dependency-file", "--lto-obj-path", "-plugin-opt=obj-path", "--plugin-opt=obj-path")
NOT_EXECUTABLE = {"-shared", "--shared", "-Bshareable", "-r", "--relocatable", "-i", "-Ur"}
START_FILES = ("crt", "Scrt", "gcrt", "Mcrt", "rcrt", "grcrt")


def expanded(words):
    """The words with those of response files (@FILE) in their places; a file that cannot be read stays a word."""
    found = []
    for word in words:
        try:
            with open(word[1:] if word.startswith("@") else "", encoding="utf-8", errors="surrogateescape") as file:
                found += expanded(shlex.split(file.read()))
        except OSError:
            found.append(word)
    return found


def is_start_file(word):
    """Whether an object is of the C library or the compiler by its name, as crt1.o and crtbeginS.o are."""
    return os.path.basename(word).startswith(START_FILES)


def value_of(words, place):
    """The value of the option at a place, in any of the forms -oX, --output=X and -o X; None: it is another option."""
    word = words[place]
    if word in OUTPUTS:
        return words[place + 1] if place + 1 < len(words) else None
    if word.startswith("--output="):
        return word.partition("=")[2]
    return word[2:] if word.startswith("-o") and not is_value(words, place) else None


def is_value(words, place):
    """Whether the word at a place belongs to the option before it."""
    return place > 0 and words[place - 1] in VALUED


class LinkLine:
    """A linker's command line: `words` without response files, the path `output`, whether it `makes_executable`, and `runs`, the
    places of the program's own objects, in lists that no archive or library parts."""

    def __init__(self, words):
        self.words = expanded(words)
        given = [value_of(self.words, place) for place in range(len(self.words))]
        self.output = next((value for value in reversed(given) if value), "a.out")
        self.makes_executable = not NOT_EXECUTABLE & set(self.words)
        self.runs = self._runs()

    @property
    def emulation(self):
        """The value of -m, such as elf_x86_64; empty: the linker's own."""
        pairs = zip(self.words, self.words[1:])
        return next((value for option, value in pairs if option == "-m"), "")

    def _is_own(self, place, folders):
        word = self.words[place]
        is_object = word.endswith((".o", ".obj", ".lo")) and not word.startswith("-") and not is_value(self.words, place)
        return is_object and not is_start_file(word) and os.path.dirname(os.path.realpath(word)) not in folders

    def _ends_run(self, place):
        """Whether objects must not be moved across this word: an archive, a library, or an option that holds for what follows."""
        word = self.words[place]
        states = ("-b", "--format", "--start-", "--end-", "-(", "-)", "--whole-archive", "--no-whole-archive")
        return word.startswith(("-l", "--library", *states)) or (word.endswith((".a", ".so")) and not is_value(self.words, place))

    def _runs(self):
        inputs = [word for place, word in enumerate(self.words) if not word.startswith("-") and not is_value(self.words, place)]
        folders = {os.path.dirname(os.path.realpath(word)) for word in inputs if word.endswith(".o") and is_start_file(word)}
        runs, lazy = [[]], False
        for place, word in enumerate(self.words):
            lazy = word == "--start-lib" or (lazy and word != "--end-lib")
            if self._ends_run(place):
                runs.append([])
            elif not lazy and self._is_own(place, folders):
                runs[-1].append(place)
        return [run for run in runs if run]

    def first_input(self):
        """Where an object stands before all of the program's own: the place of the first one, else of the first library."""
        if self.runs:
            return self.runs[0][0]
        return next((place for place in range(len(self.words)) if self._ends_run(place)), len(self.words))

    def elsewhere(self, output, resolution, order, added):
        """The words of the same link with another output and resolution file (of an LTO plugin), the objects of each run in
        another order (a function of a list), and further words before the first object."""
        words = list(self.words)
        for run in self.runs:
            for place, word in zip(run, order([self.words[place] for place in run])):
                words[place] = word
        first, found, skip = self.first_input(), [], False
        for place, word in enumerate(words):
            if place == first:
                found += added
            if skip or word.split("=")[0] in BESIDE or "=".join(word.split("=")[:2]) in BESIDE:
                skip = not skip and word in VALUED
            elif value_of(self.words, place) is not None:
                skip = word in OUTPUTS
            elif word.startswith("-plugin-opt=-fresolution="):
                found.append(f"-plugin-opt=-fresolution={resolution}")
            else:
                found.append(word)
        return [*found, *(added if first == len(words) else []), "-o", output]
