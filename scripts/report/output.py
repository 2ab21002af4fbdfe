# SPDX-License-Identifier: MIT
"""Files written whole or not at all."""


def write(path, data):
    """Writes a file whole or not at all: a reader never sees half a page.

    Args:
        path: where.
        data: bytes.

    Raises:
        OSError: it cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
