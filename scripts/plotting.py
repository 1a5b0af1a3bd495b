# SPDX-License-Identifier: Apache-2.0
"""Plots as text that is the same on every machine: matplotlib's own fonts and settings, letters as
text, no date."""

import io


def begin(path):
    """matplotlib.pyplot for the picture `path`."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcdefaults()  # not those of the user or the machine
    matplotlib.rcParams.update({"svg.hashsalt": path, "svg.fonttype": "none"})
    from matplotlib import pyplot

    return pyplot


def end(pyplot, figure):
    """The figure as SVG."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return out.getvalue()
