#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/workflow.sh with SLURM=2 on the Slurm cluster that this machine is part of: three runs of
plan `test` as jobs; an interrupt leaves no job and nothing half written, and what was there is not
done again; a job that fails is an error that names it. Skipped (77) where no Slurm answers or
Snakemake cannot be had."""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import workflow_plan  # noqa: E402

WORK = "build/workflow-slurm"
WAIT = 500  # seconds until something that must come is there


def expect(what, ok):
    if not ok:
        sys.exit(f"test_slurm.py: not so: {what}")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def jobs():
    r = subprocess.run(["squeue", "-h", "-u", str(os.getuid())], capture_output=True, text=True)
    return r.stdout.strip()


def interruptible():
    """A shell's background job has SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(targets):
    return subprocess.Popen(
        ["scripts/workflow.sh", "test", WORK, *targets],
        env={**os.environ, "SLURM": "2"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=interruptible,
    )


def finish(p):
    said, _ = p.communicate(timeout=WAIT)
    if p.returncode == 77:
        skip(said.strip().splitlines()[-1])
    return p.returncode, said


try:
    if subprocess.run(["sinfo", "-h"], capture_output=True, timeout=20).stdout.strip() == b"":
        skip("no Slurm cluster answers sinfo")
except (OSError, subprocess.TimeoutExpired):
    skip("no Slurm cluster answers sinfo")

shutil.rmtree(WORK, ignore_errors=True)
short = [r for r in workflow_plan.plan("test") if r["load"] == [["HS", 128]]][:3]
expect("three runs of one kernel", len(short) == 3)
paths = [f"{os.path.realpath(WORK)}/runs/{r['key']}.json" for r in short]

# An interrupt while runs are in the queue, their trace being there.
p = start(paths)
since = time.monotonic()
while p.poll() is None and not (glob.glob(f"{WORK}/traces/*/*.trace") and jobs()):
    expect("the trace comes and runs are queued", time.monotonic() - since < WAIT)
    time.sleep(0.2)
interrupted = p.poll() is None
if interrupted:
    os.killpg(p.pid, signal.SIGINT)
status, said = finish(p)
expect(f"runs are queued: {said[-900:]}", interrupted)
expect("an interrupt is no success", status != 0)
since = time.monotonic()
while jobs():
    expect(f"an interrupt takes the jobs along: {jobs()}", time.monotonic() - since < 60)
    time.sleep(0.5)
for path in glob.glob(f"{WORK}/runs/*.json"):
    with open(path) as f:
        json.load(f)
kept = {f: os.stat(f).st_mtime_ns for f in glob.glob(f"{WORK}/*/*/*.trace")}

status, said = finish(start(paths))
expect(f"it goes on and ends well: {said[-900:]}", status == 0)
expect("all runs are there", all(os.path.exists(f) for f in paths))
expect(
    "what was there is not done again",
    all(os.stat(f).st_mtime_ns == t for f, t in kept.items()),
)

# A job that fails.
os.remove(paths[0])
kernel, size = short[0]["load"][0]
name = workflow_plan.trace_name(kernel, size, short[0]["lanes"])
with open(f"{WORK}/traces/{name}.trace", "w") as f:
    f.write("no trace\n")
status, said = finish(start(paths))
expect("a job that fails is an error", status != 0)
expect(f"that names its run: {said[-900:]}", short[0]["key"] in said)
expect("and its run is not there", not os.path.exists(paths[0]))
expect("no job is left", not jobs())
print("PASS")
