# SPDX-License-Identifier: Apache-2.0
# Sourced by test_memory.sh and test_channel.sh: three kernels in one folder and the options of a
# run of them together, with a small memory system and small TLBs, so that few cycles reach every
# part. Sets `kernels` (a trace list) and `run_options`.
mkdir -p build/memory
kernels=
for k in BFS:small HISTO:small GUP:65536; do
  [ -e build/memory/${k%:*} ] || build/bin/gmmu gen ${k%:*} --size ${k#*:} -o build/memory/${k%:*}
  kernels+=${kernels:+,}build/memory/${k%:*}
done
run_options=(--set NumSms=6 --set WarpW=6 --set EpochCycles=5000 --set MemChannels=4
  --set L2Entries=32 --set L1BaseEntries=8 --trace "$kernels" --restart)
