# SPDX-License-Identifier: MIT
"""How figures look: the colour of a method, the marker of a verdict, and figures that come out the same every time."""

import hashlib
import io
import logging
import re
import warnings

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("Agg")

# The greys of a figure.
INK = "#1b1e23"
MUTED = "#5c636e"
GRID = "#d9dce1"
BAND = "#c6cbd3"
PAPER = "#fefefe"

# One hue a family, one shade a method: fills blue, calculation green, line lookup brown, rotated olive, magic red,
# pext violet, SIMD cyan; of stores rows pink, byte rays ochre, attack tables blue. All keep a contrast of 3:1 on white
# and on the dark page (the test checks it).
_COLOURS = """
    empty #757a82 kogge_stone #096acb dumb7fill #528ed9 dumb7fill_sse2 #3a78c9 dumb7fill_avx2 #5f86c0
    kogge_stone_sse2 #3683ae kogge_stone_avx2 #637bdc kogge_stone_avx512 #51799b subtraction_fill #7091d6
    hyperbola #088053 classical_rays #2ca470 ray_walk #568951 hyperbola_bitreverse #009981 hyperbola_avx2 #55805f
    hyperbola_rank256 #369d7e hyperbola_gfni #077f5d obstruction_difference #479f7e opposite_rays #269143
    classical_rays_lzcnt #4f9186 blockers_and_beyond #30875a slide_arithmetic #109f85 sbamg #0c7e65 exploding #119c7e
    switch_rays #598767 kindergarten #955e01 kindergarten_split #be7c1c kindergarten_full #a9683f
    congruent_modulo #a47c00 congruent_modulo_dense #936b49 fold_hash #b68a3a superset_sissy #8f6209
    pre_school #a3702b
    product_hash #af8340 rotated_hyatt #72700a rotated_heinz #94911b magic_fancy #b93345 magic_plain #cf686e
    magic_black #aa6078 magic_fixed_shift #cd5b42 magic_packed_shift #98636c magic_byte #cd776d magic_byte_fancy #aa4845
    magic_perfect #c2736e magic_shared #c04d6d magic_shared_dense #bd5d80 magic_overlapped #a87563 magic_dense #ab575f
    magic_split32 #e76348 magic_split32_fold #9d5448 magic_correlation #d86353 magic_spectral #9f696f pext #834bb9
    pext_pdep #9f76cb pext_split #7671b2 pext_split_dense #ab61b9 pext_line #786c99 hypercube #ab7dc1
    ray_masks_avx2 #06798d ray_masks_avx512 #0a9db6 ray_major #0b8c8e binary_network #0a8fbe
    hyperbola_avx512 #4d8f6b magic_plain_arrays #c4584f pext_arrays #8f5fc0
    rows #a5269c rows_avx2 #a14291 rows_avx512 #cb2fa2 rows_by_rank #ba5896 rows_by_rank_avx512 #ae2970
    rows_mended #aa4571 rows_mended_avx2 #d0376a byte_rays #845d1f byte_rays_avx2 #957c3d byte_rays_avx512 #84711f
    byte_rays_neon #958e3d attack_table #2653a5 attack_table_avx2 #5871ba attack_table_avx512 #2d43c2
""".split()
METHOD_COLOURS = dict(zip(_COLOURS[::2], _COLOURS[1::2]))

# verdict -> (marker, filled, what it says). Shape and filling carry the meaning; colour only names the method.
VERDICTS = {
    "faster": ("<", True, "faster"),
    "equivalent": ("s", True, "equivalent"),
    "inconclusive": ("o", False, "not significant"),
    "unresolved": ("o", False, "not significant"),
    "slower": (">", True, "slower"),
    "void": ("X", False, "void"),
    "reference": ("D", True, "the reference"),
}
UNKNOWN_VERDICT = ("P", False, "no verdict")
# verdict -> its sign in a text; one for all that is not significant
VERDICT_SIGNS = dict(zip(VERDICTS, "\u25c0\u25a0??\u25b6\u2715\u25c6"))
_SAID = {sign: VERDICTS[name][2] for name, sign in VERDICT_SIGNS.items()}
VERDICT_WORDS = ", ".join(f"{sign} {words}" for sign, words in _SAID.items())


def luminance(colour):
    """Relative luminance of `#rrggbb`, in [0, 1], as contrast rules define it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def method_colour(method):
    """The colour of a method, `#rrggbb`, the same in every figure of every run: from the table; a method that it
    does not know shares one of its colours, and a copied store has that of the store."""
    method = method.removesuffix("_copy")
    if method in METHOD_COLOURS:
        return METHOD_COLOURS[method]
    known = sorted(METHOD_COLOURS.values())
    return known[int(hashlib.sha256(method.encode()).hexdigest(), 16) % len(known)]


def label_colour(method):
    """The colour of a method's name: its own, dark enough to be read as text on white."""
    colour = method_colour(method)
    while luminance(colour) > 0.175:
        colour = "#" + "".join(f"{int(colour[i : i + 2], 16) * 15 // 16:02x}" for i in (1, 3, 5))
    return colour


def marker_style(method, verdict, size=7.0):
    """Arguments of `Axes.plot` for a point: the method gives the colour, the verdict shape and filling; size in
    points."""
    shape, filled, _ = VERDICTS.get(verdict, UNKNOWN_VERDICT)
    colour = method_colour(method)
    smaller = {"D": 0.85, "s": 0.9}.get(shape, 1.0)  # these shapes look larger than others of the same size
    return {
        "marker": shape,
        "markersize": size * smaller,
        "markeredgewidth": 1.4,
        "markeredgecolor": colour,
        "markerfacecolor": colour if filled else PAPER,
        "linestyle": "none",
    }


def set_defaults():
    """Sets what all figures share, whatever the user's own configuration of matplotlib says."""
    matplotlib.rcdefaults()
    settings = {"svg.hashsalt": "slidebench", "svg.fonttype": "none", "text.parse_math": False, "axes.axisbelow": True}
    settings |= {"font.sans-serif": ["DejaVu Sans"], "font.monospace": ["DejaVu Sans Mono"], "font.size": 9}
    settings |= {"axes.titlesize": 10, "axes.titleweight": "bold", "axes.labelsize": 9, "grid.color": GRID}
    for value, names in (
        (INK, "text.color axes.labelcolor axes.titlecolor xtick.labelcolor ytick.labelcolor"),
        (MUTED, "axes.edgecolor xtick.color ytick.color"),
        (PAPER, "figure.facecolor axes.facecolor savefig.facecolor"),
        (False, "axes.spines.top axes.spines.right"),
    ):
        settings |= dict.fromkeys(names.split(), value)
    plt.rcParams.update(settings)
    # A title in a script that the font lacks shows boxes in the PNG; the SVG leaves it to the reader's fonts.
    warnings.filterwarnings("ignore", message="Glyph .* missing")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)


def heading(figure, title, subtitle, left=0.15, top=0.2):
    """Title and subtitle in a figure's upper left corner, so many inches from its edges."""
    width, height = figure.get_size_inches()
    figure.text(left / width, 1 - top / height, title, fontsize=12, fontweight="bold", va="top")
    figure.text(left / width, 1 - (top + 0.25) / height, subtitle, fontsize=9, color=MUTED, va="top")


NO_DATE = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}


def render(figure, suffixes):
    """Draws a figure into memory and closes it: dict suffix -> bytes. The same figure gives the same bytes: no date, no
    version, and element names from a fixed salt."""
    files = {}
    for suffix in suffixes:
        buffer = io.BytesIO()
        figure.savefig(buffer, format=suffix, dpi=144, metadata=NO_DATE[suffix])
        files[suffix] = buffer.getvalue()
    plt.close(figure)
    if "svg" in files:
        # Readers without the font in which the layout was measured get a close one instead of a serif one.
        svg = files["svg"].decode()
        svg = re.sub(r"'DejaVu Sans'(, sans-serif)?", "'DejaVu Sans', Verdana, sans-serif", svg)
        svg = re.sub(r"'DejaVu Sans Mono'(, monospace)?", "'DejaVu Sans Mono', Menlo, monospace", svg)
        files["svg"] = with_short_numbers(svg).encode()
    return files


def with_short_numbers(svg):
    """An SVG whose numbers have two decimals at most: a hundredth of a point is not seen, and a third of the bytes are others."""
    return re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d\.\d\d)\d+", r"\1", tag[0]), svg)


def shorten(text, limit):
    """Cuts a text to `limit` characters, with an ellipsis; the page's table has it in full."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
