# SPDX-License-Identifier: MIT
"""Files written whole or not at all."""


def write(path, data):
    """Writes bytes into a file whole or not at all: a reader never sees half a page. Raises OSError."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
