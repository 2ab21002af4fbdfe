# SPDX-License-Identifier: MIT
"""A network that an engine's build needs as a file, taken out of a program that has it inside."""

import hashlib
from pathlib import Path

from report.errors import ReportError

# How an NNUE file begins: its version, in little-endian order.
BEGINS = bytes.fromhex("202ff37a")


def network_from(program, bytes_, digest):
    """The network inside a program: it begins with BEGINS, has so many bytes, and its SHA-256 begins with `digest`, hexadecimal.
    ReportError where there is none."""
    try:
        data = Path(program).read_bytes()
    except OSError as error:
        raise ReportError(f"{program}: cannot be read for its network ({error.strerror})") from None
    place = data.find(BEGINS)
    while place >= 0:
        network = data[place : place + bytes_]
        if hashlib.sha256(network).hexdigest().startswith(digest):
            return network
        place = data.find(BEGINS, place + 1)
    raise ReportError(f"{program}: holds no network of {bytes_} bytes whose SHA-256 begins with {digest}")
