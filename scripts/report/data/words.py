# SPDX-License-Identifier: MIT
"""Numbers as people read them."""

import math
import re


def human_bytes(size):
    """A size as people read it: `0 B`, `2.0 KiB`, `845 KiB`, `2.25 MiB`; `not recorded` for NaN."""
    if not math.isfinite(size):
        return "not recorded"
    if size < 1024:
        return f"{size:.0f} B"
    unit = min(int(math.log2(size) // 10), 4)
    value = size / 1024**unit
    digits = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {['B', 'KiB', 'MiB', 'GiB', 'TiB'][unit]}"


def human_number(value, digits=2):
    """A number with fixed decimals, or an en dash where it was not measured."""
    return "\N{EN DASH}" if value is None or not math.isfinite(value) else f"{value:.{digits}f}"


def human_percent(fraction):
    """A fraction in per cent, or an en dash where it was not measured."""
    percent = 100 * float(fraction)
    return f"{human_number(percent, 1)} %" if math.isfinite(percent) else "\N{EN DASH}"


def human_interval(value, low, high, show=human_number):
    """A number with its interval, `1.02 [1.01, 1.03]`; without the brackets where an end is not known."""
    known = all(end is not None and math.isfinite(end) for end in (low, high))
    return f"{show(value)} [{show(low)}, {show(high)}]" if known else show(value)


def human_ratio(ratio):
    """A ratio with three figures after the point, two from 10 on; an en dash where it was not measured."""
    return human_number(ratio, 3 if ratio is None or not ratio >= 10 else 2)


def human_change(ratio):
    """A ratio as a change, `\N{MINUS SIGN}5.5 %`: two or three digits; a tenfold time and more as a factor."""
    if ratio is None or not math.isfinite(ratio):
        return "\N{EN DASH}"
    if ratio >= 10:
        return f"{ratio:.3g}\N{MULTIPLICATION SIGN}"
    percent = 100 * (ratio - 1)
    digits = int(abs(percent) < 9.95)
    return true_minus("0.0 %" if abs(percent) < 0.05 else f"{percent:+.{digits}f} %")


def true_minus(text):
    """A text whose numbers have a minus sign instead of a hyphen."""
    return re.sub(r"(?<![\w.])-(?=\d)", "\N{MINUS SIGN}", text)
