# SPDX-License-Identifier: MIT
"""Files written whole or not at all."""

import gzip


def write(path, data):
    """Writes bytes into a file whole or not at all: a reader never sees half a page. Raises OSError."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        error.filename = error.filename or str(path)  # a full disk does not say whose
        raise


def compressed(data):
    """Bytes that are the same for the same data: gzip without a time."""
    return gzip.compress(data, mtime=0)


def write_all(folder, files):
    """Writes files, dict name -> bytes, into a folder, made if missing; returns their paths. Raises OSError."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write(folder / name, data)
    return [folder / name for name in files]
