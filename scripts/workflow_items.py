# SPDX-License-Identifier: Apache-2.0
"""What the results workflow says of each paper: verdict, tables, differences from printed numbers,
and what of the paper it has not run. Used by workflow_report.py and workflow_pages.py."""

import workflow_all
import workflow_mask
import workflow_mesc
import workflow_mosaic
from workflow_stats import beside, text

PAPERS = {
    "mask": workflow_mask,
    "mosaic": workflow_mosaic,
    "mesc": workflow_mesc,
    "all": workflow_all,
}
FAR = 0.1  # of a printed number: beyond it a difference has its reason beside it


def of_paper(paper, items):
    """[(table or figure, item that shows it or "", what is missing)]"""
    out = []
    for of, name, said in PAPERS[paper].OF_PAPER:
        item = items.get(name)
        out.append((of, item.title if item else "", said if item else said or "not in this plan"))
    return out


def differences(found):
    """Rows of a table: each printed number, ours, what lies between, and why if that is much."""
    rows = []
    for s in found.signs:
        off = beside(s.ours, s.half, s.paper)
        far = abs(s.ours - s.paper) > max(FAR * abs(s.paper), s.half if s.half == s.half else 0)
        same = "same" if (s.ours > 0) == (s.paper > 0) else "the other"
        same = "none" if abs(s.ours) <= s.half else same
        sign = same if min(s.ours, s.paper) < 0 or "over" in s.what else ""
        rows.append(
            [s.what, text(s.ours, s.half), f"{s.paper:.3f}", sign, off]
            + [found.reasons.get(s.why, "") if far else ""]
        )
    return ["", "ours", "paper", "sign", "off by", "why"], rows
