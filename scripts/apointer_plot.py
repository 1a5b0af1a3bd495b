# SPDX-License-Identifier: Apache-2.0
"""The plot of docs/results-apointers.md."""

import plotting
from apointer_points import US, average
from apointer_versus import SAID, SWEEPS


def plot(got):
    plt = plotting.begin("docs/results-apointers.svg")
    from matplotlib import ticker

    fig, axes = plt.subplots(1, 5, figsize=(17, 3.8))
    for ax, (title, key, values) in zip(axes, SWEEPS):
        mine = [r for _, k, _, r in got if k == key]
        x = range(len(values))
        for name, label, colour in (
            ("gpufs", "GPUfs", "#999999"),
            ("ap", "software", "#2f6db5"),
            ("ap2m", "software behind 2 MiB", "#8fb7e0"),
        ):
            y = [
                (average(r["ap"]) if name == "ap" else r[name]["kernel"]) / r["bound"]["kernel"]
                for r in mine
            ]
            ax.plot(x, y, marker="o", color=colour, label=label)
        for h, colour in ((0, "#3c9a54"), (1, "#d9a441"), (4, "#b00000")):
            y = [
                (i, average(dict(r["hw"])[h]) / r["bound"]["kernel"])
                for i, r in enumerate(mine)
                if h in dict(r["hw"])
            ]
            if y:
                ax.plot(
                    *zip(*y),
                    marker="s",
                    linestyle="--",
                    color=colour,
                    label=f"hardware, handler {h} us",
                )
        ax.set_xticks(list(x), [SAID[key](v) for v in values])
        ax.set_xlabel(title)
    ax = axes[4]
    for host, colour in zip(SWEEPS[3][2], ("#3c9a54", "#2f6db5", "#b00000")):
        r = next(r for _, k, v, r in got if k == "host" and v == host)
        ax.plot(
            [h for h, _ in r["hw"]],
            [average(v) / r["bound"]["kernel"] for _, v in r["hw"]],
            marker="s",
            linestyle="--",
            color=colour,
            label=f"hardware, host {host / US:.2f} us",
        )
        ax.axhline(
            average(r["ap"]) / r["bound"]["kernel"],
            color=colour,
            label=f"software, host {host / US:.2f} us",
        )
    ax.set_xlabel("handler time, us")
    for ax in axes:
        ax.set_yscale("log")
        ax.set_ylim(1, 9.5)
        ax.yaxis.set_major_locator(ticker.FixedLocator(range(1, 10)))
        ax.yaxis.set_major_formatter("{x:g}")
        ax.yaxis.set_minor_locator(ticker.NullLocator())
    axes[0].set_ylabel("time over plain pointers\nto resident memory")
    fig.tight_layout(rect=(0, 0.2, 1, 1))
    for ax in (axes[0], axes[4]):
        handles, labels = ax.get_legend_handles_labels()
        low = 0.09 if ax is axes[0] else 0.0
        fig.legend(
            handles,
            labels,
            loc="lower center",
            bbox_to_anchor=(0.5, low),
            ncol=6,
            title=None if ax is axes[0] else "last plot:",
            fontsize=8,
            frameon=False,
        )
    return plotting.end(plt, fig)
