#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One run of the results workflow.

usage: workflow_run.py run PLAN KEY TRACES OUT    the run of that key (workflow_plan.py), from
                                                  TRACES/NAME.trace
       workflow_run.py trace KERNEL SIZE LANES OUT
       workflow_run.py table PLAN RUNS OUT         all runs of the plan in RUNS as CSV

OUT appears whole or not at all. A wrong translation is an error.
"""

import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calibrate  # noqa: E402
import workflow_plan  # noqa: E402

ROOT = calibrate.ROOT


def commit():
    """The tree's commit, with + if there is more in it."""

    def git(*args):
        return subprocess.run(
            ["git", "-C", ROOT, *args], capture_output=True, text=True
        ).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def last_line(r):
    return ((r.stderr or r.stdout).strip().splitlines() or [f"exit status {r.returncode}"])[-1]


def run(name, key, traces, out):
    found = [r for r in workflow_plan.plan(name) if r["key"] == key]
    if not found:
        sys.exit(f"workflow: plan {name} has no run {key}: the program or a preset has changed")
    r = found[0]
    part = f"{out}.{os.getpid()}.part"
    if r["what"] == "regions":
        with tempfile.TemporaryDirectory() as folder:
            (kernel, size), dump = r["load"][0], os.path.join(folder, "dump.csv")
            touching(kernel, size, os.path.join(folder, "touch"))
            once(
                r, [os.path.join(folder, "touch")], part, out, ["--dump", dump], lambda: sizes(dump)
            )
        return
    paths = [
        os.path.join(traces, workflow_plan.trace_name(k, s, r["lanes"]) + ".trace")
        for k, s in r["load"]
    ]
    once(r, paths, part, out)


def once(r, paths, part, out, more=(), regions=None):
    """The run r of these traces; regions(): what else is kept."""
    args = [calibrate.GMMU, "run", "--preset", r["run_preset"], "--backend", "model"]
    args += ["--trace", ",".join(paths), "--sms", ",".join(map(str, r["sms"]))]
    args += ["--seed", str(r["seed"]), "--json", part, *r["options"], *more]
    args += [x for s in r["sets"] for x in ("--set", s)]
    with tempfile.TemporaryFile("w+") as said:
        p = subprocess.Popen(args, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = status
        said.seek(0)
        last = (said.read().strip().splitlines() or [f"exit status {status}"])[-1]
    if status or not os.path.exists(part):
        if os.path.exists(part):
            os.remove(part)
        apps = "+".join(k for k, _ in r["load"])
        sys.exit(f"workflow: {r['paper']} {apps} {r['preset']} seed {r['seed']}: {last}")
    with open(part) as f:
        result = json.load(f)
    if regions:
        result["regions"] = regions()
    with open(part, "w") as f:
        seconds = round(used.ru_utime + used.ru_stime, 1)
        json.dump({"run": r, "commit": commit(), "processor": seconds, "result": result}, f)
    os.replace(part, out)


def touching(kernel, size, path):
    """A trace with the kernel's arrays, by the head of its own, in which each page is read once."""
    args = [calibrate.GMMU, "gen", kernel, "--size", str(size), "--text", "-o", "-"]
    arrays, pages = [], {}
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as p:
        for line in itertools.takewhile(lambda x: not x.startswith("launch"), p.stdout):
            if line.startswith("array"):
                arrays.append(line.rstrip())
                first, size = (int(x, 0) for x in line.split()[2:4])
                for page in range(first >> 12, (first + size - 1 >> 12) + 1):
                    pages.setdefault(page, max(first, page << 12))
        p.kill()
    if not pages:
        sys.exit(f"workflow: {kernel} has no arrays")
    lines = ["gmmu-trace 1", f"app {kernel}", *arrays]
    lines.append(f"launch touch blocks {(len(pages) + 31) // 32} warps 1")
    for i, va in enumerate(pages.values()):
        lines += [f"block {i // 32} warp 0", "r 1"] if i % 32 == 0 else []
        lines[-1] += f" {va:#x}"
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")


def sizes(dump):
    """{pages: how many}: regions whose pages follow each other, virtual as physical."""
    with open(dump, newline="") as f:
        at = {int(r["va"], 0) >> 12: int(r["pa"], 0) >> 12 for r in csv.DictReader(f)}
    out, n = {}, 0
    for page in sorted(at):
        n += 1
        if at.get(page + 1) != at[page] + 1:
            out[n], n = out.get(n, 0) + 1, 0
    return dict(sorted(out.items()))


def trace(kernel, size, lanes, out):
    part = f"{out}.{os.getpid()}.part"
    r = subprocess.run(
        [calibrate.GMMU, "gen", kernel, "--size", size, "--lanes", lanes, "-o", part],
        capture_output=True,
        text=True,
    )
    if r.returncode:
        sys.exit(last_line(r))
    os.replace(part, out)


# What energy is computed from (scripts/workflow_energy.py).
STRUCTURES = (
    "l1_lookups l1_fills l2_lookups_regular l2_lookups_subregion l2_fills_regular "
    "l2_fills_subregion msc_lookups msc_insertions pwc_probes pwc_insertions"
).split()
ENERGY = [*STRUCTURES, "pte_cache_reads", "pte_columns"]
FIELDS = (
    "key commit date paper what preset load sms seed vary parameters options cycles accesses "
    "ipc_each cycles_each l1_hits l2_hits walks walks_at_a_time warps_per_miss pages epochs "
    "bypass_hits "
    "lsu_stall t_latency d_latency t_share dram_use hits_data hits_1 hits_2 hits_3 hits_4 "
    "bypassed_4 moved held resident copy_cycles processor"
).split() + ENERGY
# Of Mosaic's runs above the memory manager; of MESC's memory.
PAGED = "faults bus_busy".split()
MEMORY = "contiguous_share regions".split()
FIELDS += PAGED + MEMORY


def day(path):
    return time.strftime("%Y-%m-%d", time.gmtime(os.path.getmtime(path)))


def short(x):
    """Six digits of a rate; nothing where there is none."""
    return "" if x != x else f"{x:.6g}"


def row(kept, r, day):
    x = kept["result"]
    c, m, l2 = x["config"], x["memory"], x["l2"]
    l1_miss, l2_miss = calibrate.miss_rates(x)
    rate, apps, paging = calibrate.rate, x["applications"], x.get("paging", {})
    t, d = m["translations"]["dram_columns"], m["data"]["dram_columns"]
    ticks = x["cycles"] * c["DramMhz"] / c["CoreMhz"] * c["MemChannels"]
    hits = [rate(y["hits"], y["accesses"]) for y in m["depths"][:5]]
    last = m["depths"][4]
    probes = l2["hits_bypass"] + l2["misses_alloc"]
    rates = {
        "l1_hits": 1 - l1_miss,
        "l2_hits": 1 - l2_miss,
        "walks_at_a_time": x["walks"]["concurrent_mean_busy"],
        "warps_per_miss": l2["warps_per_miss"],
        "bypass_hits": rate(l2["hits_bypass"], probes) if c["BypassEntries"] else calibrate.NAN,
        "lsu_stall": rate(x["lsu_stall_cycles"], x["cycles"] * sum(r["sms"])),
        "t_latency": m["translations"]["latency_mean"],
        "d_latency": m["data"]["latency_mean"],
        "t_share": rate(t, t + d),
        "dram_use": rate(2 * (t + d), ticks),
        **{f"hits_{n or 'data'}": h for n, h in enumerate(hits)},
        "bypassed_4": rate(last["bypassed"], last["bypassed"] + last["accesses"]),
    }
    return {
        "key": r["key"],
        "commit": kept["commit"],
        "date": day,
        "paper": r["paper"],
        "what": r["what"],
        "preset": r["preset"],
        "load": workflow_plan.load_text(r),
        "sms": "+".join(map(str, r["sms"])),
        "seed": r["seed"],
        "vary": r["vary"],
        "parameters": " ".join(r["sets"]),
        "options": " ".join(r["options"]),
        "cycles": x["cycles"],
        "accesses": x["accesses"],
        "ipc_each": "+".join(short(a["ipc"]) for a in apps),
        "cycles_each": "+".join(str(a["cycles"]) for a in apps),
        "walks": x["walks"]["count"],
        "pages": x["walks"]["pages_touched"],
        "epochs": l2["epochs"],
        **{k: short(v) for k, v in rates.items()},
        "moved": paging.get("moved", ""),
        "held": paging.get("held", ""),
        "resident": paging.get("resident", ""),
        "copy_cycles": paging.get("copy_cycles_before", ""),
        "processor": kept.get("processor", ""),
        **{k: x["structure_accesses"][k] for k in STRUCTURES},
        "pte_cache_reads": sum(y["accesses"] for y in m["depths"][1:]),
        "pte_columns": t,
        "faults": paging.get("faults", ""),
        "bus_busy": short(paging["bus_busy"]) if paging else "",
        "contiguous_share": short(x.get("contiguous_share", calibrate.NAN)),
        "regions": "+".join(f"{n}x{count}" for n, count in x.get("regions", {}).items()),
    }


def table(name, runs, out):
    part = f"{out}.{os.getpid()}.part"
    with open(part, "w", newline="") as f:
        w = csv.DictWriter(f, FIELDS)
        w.writeheader()
        for r in workflow_plan.plan(name):
            path = os.path.join(runs, r["key"] + ".json")
            with open(path) as g:
                kept = json.load(g)
            w.writerow(row(kept, r, day(path)))
    os.replace(part, out)


def main():
    call = {"run": (run, 4), "trace": (trace, 4), "table": (table, 3)}
    if len(sys.argv) < 2 or sys.argv[1] not in call or len(sys.argv) - 2 != call[sys.argv[1]][1]:
        sys.exit(__doc__.split("usage: ")[1].strip())
    call[sys.argv[1]][0](*sys.argv[2:])


if __name__ == "__main__":
    main()
