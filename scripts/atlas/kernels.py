# SPDX-License-Identifier: MIT
"""What reports/kernels says of a method's kernel."""

from report.data.headers import ROOT

KERNELS = ROOT / "reports" / "kernels" / "kernels.json.gz"


def kernel_of(method):
    """A method's kernel; None where none is committed."""
    return None
