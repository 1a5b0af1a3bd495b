#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What output options do to what is there already: regular files, links, devices, pipes, read-only
# files, inputs of the same command, other outputs; signals. Uses device nodes of its own where it
# may make them: a bug must not replace those of the machine.
set -uo pipefail
cd "$(dirname "$0")/../.."
d=$PWD/build/cli-files
rm -rf "$d"; mkdir -p "$d"
g=build/bin/gmmu
bad=0 n=0
no() { echo "FAIL $1"; bad=1; }
works() { n=$((n + 1)); "$@" >"$d/out" 2>"$d/err" || { no "refused: $*"; cat "$d/err"; }; }
refuses() {
  local pattern=$1; shift
  n=$((n + 1))
  "$@" >"$d/out" 2>"$d/err" && { no "accepted: $*"; return; }
  [ "$(wc -l <"$d/err")" = 1 ] || { no "not one error line: $*"; cat "$d/err"; }
  grep -qE -e "$pattern" "$d/err" || { no "wrong message for: $*"; cat "$d/err"; }
}
left() {
  [ -z "$(find "$d" -name '.gmmu.*')" ] || {
    no "a temporary file is left after $1"
    find "$d" -name '.gmmu.*' -delete
  }
}
node() { # NAME MINOR: a character device, or the machine's own for a user who could not replace it
  mknod "$d/$1" c 1 "$2" 2>/dev/null && [ -w "$d/$1" ] && { echo "$d/$1"; return; }
  rm -f "$d/$1"
  [ "$(id -u)" != 0 ] && echo "/dev/$1"
}
null=$(node null 3) full=$(node full 7)
works $g gen ATAX --size 64 -o "$d/a.trace"
printf '0 0x10000000 0x20000000 0x4000000 rwu\n' >"$d/a.map"
run() {
  echo "$g run --preset mosaic --set NumSms=4 --backend model --trace $d/a.trace --map $d/a.map"
}

# devices
if [ -n "$null" ]; then
  works $(run) --dump "$null" --json "$null" --record "$null" --set MemChannels=2
  [ -c "$null" ] || no "a null device was replaced"
  works $g gen ATAX --size 64 -o "$null"
  [ -c "$null" ] || no "a null device was replaced by a trace"
  refuses 'regular file' $g run --trace "$d/a.trace" --waves "$null" --backend rtl
  [ -c "$null" ] || no "a null device was replaced by waves"
  python3 - "$null" "$PWD" <<'X' || bad=1
import os, sys
sys.path.insert(0, os.path.join(sys.argv[2], "scripts"))
import outfile
outfile.write(sys.argv[1], "x\n")
sys.exit(0 if not os.path.isfile(sys.argv[1]) else "a null device was replaced by a script")
X
fi
if [ -n "$full" ]; then
  for o in dump json; do refuses 'full: No space left' $(run) --$o "$full"; done
  refuses 'full: No space left' $g gen ATAX --size 64 -o "$full"
  refuses 'full: No space left' $g gen RED --text -o "$full"
  [ -c "$full" ] || no "a full device was replaced"
  $(run) >"$full" 2>"$d/err"
  [ $? = 1 ] && grep -q 'standard output: No space left' "$d/err" ||
    no "a report that did not get there"
fi
# pipes
mkfifo "$d/fifo"
cat "$d/fifo" >"$d/from-fifo" &
works $(run) --json "$d/fifo"
wait $!
[ -p "$d/fifo" ] || no "a pipe was replaced"
python3 -m json.tool "$d/from-fifo" >/dev/null || no "what came out of the pipe"
works bash -c "cat $d/a.trace | $g info /dev/stdin"
works bash -c "$g gen RED --text -o - | $g info /dev/stdin"
# standard output
works $(run) --json -
python3 -m json.tool "$d/out" >/dev/null || no "JSON on standard output"
grep -q '^mismatches: 0$' "$d/err" || no "the report beside JSON on standard output"
$(run) --dump /dev/stdout >"$d/out" 2>/dev/null
[ "$(head -c 7 "$d/out")" = seq,sm, ] && [ "$(tail -c 5 "$d/out")" = 4096 ] ||
  no "a dump to /dev/stdout that is a file"
$g gen ATAX --size 64 -o - | cmp - "$d/a.trace" || no "a trace on standard output"
refuses 'both standard output' $(run) --json - --dump -
refuses 'both standard output' $(run) --json /dev/stdout --dump -
# links
mkdir "$d/sub"
echo old >"$d/sub/real"; ln -s sub/real "$d/link"; ln -s sub/new "$d/dangling"; ln -s loop "$d/loop"
works $(run) --json "$d/link" --dump "$d/dangling"
[ -L "$d/link" ] && [ -L "$d/dangling" ] || no "a link was replaced"
python3 -m json.tool "$d/sub/real" >/dev/null || no "what a link leads to"
[ "$(head -c 7 "$d/sub/new")" = seq,sm, ] || no "a new file behind a link"
refuses 'loop: ' $(run) --json "$d/loop"
# modes
echo old >"$d/ro"; chmod 444 "$d/ro"
refuses 'ro: is read-only' $(run) --json "$d/ro"
refuses 'ro: is read-only' $g gen ATAX --size 64 -o "$d/ro"
[ "$(cat "$d/ro")" = old ] || no "a read-only file was written"
echo old >"$d/mode"; chmod 640 "$d/mode"
works $(run) --json "$d/mode"
[ "$(stat -c %a "$d/mode")" = 640 ] || no "the mode of a file that was there"
(umask 027; $(run) --json "$d/umask" >/dev/null)
[ "$(stat -c %a "$d/umask")" = 640 ] || no "the mode of a new file"
refuses 'is a directory' $(run) --json "$d/sub"
refuses 'No such file' $(run) --json "$d/none/x"
refuses 'No such file' $(run) --json ''
# before the work that it would be for
for o in "$d/none/x" "$d/sub" "$d/ro"; do
  refuses "^gmmu apointer: $o: " $g apointer --dir /nonexistent --json "$o"
  [ ! -s "$d/out" ] || no "apointer: a run before its output is refused"
  refuses "^gmmu gen: $o: " $g gen ATAX --size 7 -o "$o"
  # before the RTL is built, which cannot be done here
  for c in "run --trace $d/a.trace --map $d/a.map" "scenario $d/one"; do
    echo 'load a 0 a.trace' >"$d/one"; echo 'run a' >>"$d/one"
    refuses "^gmmu ${c%% *}: $o: " env PATH=/nonexistent $g $c --preset mosaic --set NumSms=3 \
      --set L1Mshrs=3 --backend rtl --json "$o"
  done
done
for o in "$d/none/x" "$d/ro"; do
  refuses "^gmmu vectors: $o" $g vectors --trace /nonexistent -o "$o"
done
works $g apointer --workload read --blocks 1 --warps 1 --json -
python3 -m json.tool "$d/out" >/dev/null || no "JSON of apointer on standard output"
grep -q '^mismatches: 0$' "$d/err" || no "apointer's report beside JSON on standard output"
# a line of progress for each step, where there is no terminal
works $g apointer --workload copy,collage --blocks 1 --warps 1 --images 64 --image-blocks 4 \
  --through apointers
tr '\n' ',' <"$d/err" >"$d/steps"
want=
for s in 'copy: file' 'copy: launch 1 of 2' 'copy: launch 2 of 2' 'collage: data set' \
  'collage: index' 'collage: launch 1 of 2' 'collage: launch 2 of 2'; do
  want="${want}gmmu apointer: ${s%%:*} through apointers:${s#*:},"
done
[ "$(cat "$d/steps")" = "$want" ] || no "steps of apointer: $(cat "$d/steps")"
# the same file twice
cp "$d/a.map" "$d/map.before"
ln "$d/a.map" "$d/hard"; ln -s a.map "$d/soft"
for o in "$d/a.map" "$d/hard" "$d/soft" "$d/./sub/../a.map"; do
  refuses 'is the file of --map' $(run) --dump "$o"
done
refuses 'is the file of --trace' $(run) --json "$d/a.trace"
cp sim/presets/gpu-mmu.ini "$d/p.ini"
refuses 'is the file of --preset' $g run --preset "$d/p.ini" --backend model --trace "$d/a.trace" \
  --json "$d/p.ini"
echo "cycle 5 invalidate all" >"$d/e"
refuses 'is the file of --events' $(run) --events "$d/e" --json "$d/e"
refuses 'is the file of --dump' $(run) --json "$d/same" --dump "$d/same"
refuses 'is the file of --dump' $(run) --json "$d/same" --dump "$d/sub/../same"
[ ! -e "$d/same" ] || no "an output that was refused is there"
printf 'load a 0 a.trace\nrun a\n' >"$d/s"
s() { echo "$g scenario $d/s --preset mosaic --set NumSms=4 --backend model"; }
works $(s) --json "$d/s.json"
refuses 'is the file of the scenario' $(s) --json "$d/s"
refuses 'is the file of load' $(s) --json "$d/a.trace"
cmp "$d/a.map" "$d/map.before" || no "an input was written"
left "all of this"
# signals: no temporary file, no output, nothing of what was there before is lost
$g gen BFS -o "$d/long.trace"
echo old >"$d/kept.json"
for sig in INT TERM HUP; do
  python3 - $sig "$d" $g <<'X' || bad=1
import os, signal, subprocess, sys, time
sig, d, g = sys.argv[1:]
p = subprocess.Popen([g, "run", "--preset", "mosaic", "--backend", "model",
                      "--trace", f"{d}/long.trace", "--passes", "1000",
                      "--dump", f"{d}/new.csv", "--json", f"{d}/kept.json"],
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
for _ in range(600):
    if sum(f.startswith(".gmmu.") for f in os.listdir(d)) == 2 or p.poll() is not None:
        break
    time.sleep(0.05)
there = sum(f.startswith(".gmmu.") for f in os.listdir(d))
p.send_signal(getattr(signal, "SIG" + sig))
if p.wait() != -getattr(signal, "SIG" + sig) or there != 2:
    sys.exit(f"FAIL SIG{sig}: status {p.returncode}, {there} temporary files before it")
X
  n=$((n + 1))
  left "SIG$sig"
  [ "$(cat "$d/kept.json")" = old ] && [ ! -e "$d/new.csv" ] || no "outputs after SIG$sig"
done
# data files of gmmu apointer
export TMPDIR=$d/tmp
mkdir "$TMPDIR"
for sig in INT TERM HUP; do
  python3 - $sig "$TMPDIR" $g <<'X' || bad=1
import os, signal, subprocess, sys, time
sig, d, g = sys.argv[1:]
p = subprocess.Popen([g, "apointer", "--workload", "copy", "--blocks", "64", "--warp-pages", "64",
                      "--warps", "16", "--cache-pages", "64"],
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
for _ in range(600):
    if len(os.listdir(d)) == 2 or p.poll() is not None:
        break
    time.sleep(0.05)
there = len(os.listdir(d))
p.send_signal(getattr(signal, "SIG" + sig))
if p.wait() != -getattr(signal, "SIG" + sig) or there != 2:
    sys.exit(f"FAIL SIG{sig}: status {p.returncode}, {there} data files before it")
X
  n=$((n + 1))
  [ -z "$(ls "$TMPDIR")" ] || { no "apointer: data files are left after SIG$sig"; rm "$TMPDIR"/*; }
done
echo "$n cases"
[ $bad = 0 ] && echo PASS
exit $bad
