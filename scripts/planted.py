# SPDX-License-Identifier: Apache-2.0
"""Where a planted bug's text stands in a source: by its tokens, so that white space and line breaks
may change."""

import re

TOKEN = r"\w+|\S"


def places(data, text):
    """(start, end) of each occurrence of text in data, white space between tokens aside."""
    tokens = re.findall(TOKEN, text)
    pattern = re.escape(tokens[0])
    for before, token in zip(tokens, tokens[1:]):
        words = re.fullmatch(r"\w+", before) and re.fullmatch(r"\w+", token)
        pattern += (r"\s+" if words else r"\s*") + re.escape(token)
    return [m.span() for m in re.finditer(pattern, data)]


def unread(data, at):
    """Does Verilator leave out what stands there: the part of an `ifdef for all other tools?"""
    without = []  # of each condition around it: is it VERILATOR's other part?
    for m in re.finditer(r"`(ifdef|ifndef|else|endif)\b[ \t]*(\w*)", data[:at]):
        if m[1] == "endif":
            without.pop()
        elif m[1] == "else":
            without[-1] = (without[-1][0], not without[-1][1])
        else:
            without.append((m[2] == "VERILATOR", m[1] == "ifndef"))
    return (True, True) in without


def replaced(data, old, new):
    """data with its one occurrence of old replaced by new, None; or None and why not."""
    found = places(data, old)
    if len(found) != 1:
        return None, f"its text occurs {len(found)} times"
    start, end = found[0]
    return data[:start] + new.strip("\n") + data[end:], None


def difference(data, old, new):
    """What of data must become what so that its one occurrence of old becomes new: (start, end,
    text, start and end of the occurrence), the fewest tokens; or why not."""
    found = places(data, old)
    if len(found) != 1:
        return f"its text occurs {len(found)} times"
    begin, stop = found[0]
    have = [(m.start() + begin, m.end() + begin) for m in re.finditer(TOKEN, data[begin:stop])]
    want = [m.span() for m in re.finditer(TOKEN, new)]
    a, b = [data[s:e] for s, e in have], [new[s:e] for s, e in want]
    k = 0
    while k < min(len(a), len(b)) and a[k] == b[k]:
        k += 1
    m = 0
    while m < min(len(a), len(b)) - k and a[-1 - m] == b[-1 - m]:
        m += 1
    start = have[k][0] if k < len(have) else stop
    end = have[len(a) - 1 - m][1] if k < len(a) - m else start
    text = new[want[k][0] : want[len(b) - 1 - m][1]] if k < len(b) - m else ""
    return start, end, text, begin, stop
