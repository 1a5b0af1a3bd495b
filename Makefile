# SPDX-License-Identifier: Apache-2.0
# gmmu: see `make help`. Every target works from a fresh clone.

PRESET ?= mosaic
SET    ?=
# What synth and fpga take without PRESET=.
SMALL  = $(if $(filter command line environment,$(origin PRESET)),$(PRESET),fpga-small)
SEED   ?= 1
JOBS   ?= 2
SLOW   ?= 1
WAVES  ?=
ifeq ($(origin CC),default)
CC     := $(if $(shell command -v ccache),ccache )gcc
endif
B      := build
# ccache: what was compiled once, in whatever folder, is not compiled again.
export CCACHE_DIR ?= $(CURDIR)/$(B)/ccache
export CCACHE_NOHASHDIR ?= 1
export CCACHE_MAXSIZE ?= 2G

CFLAGS   ?= -O2
CSTD     := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ic_model/include -Ic_model -MMD -MP
LDLIBS   := -lzstd -linih -lcjson -lxxhash -lcrypto -lsigsegv -lm -lopenblas
ASAN     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
TSAN     := -O1 -g -fsanitize=thread
# Unit tests of what runs on several threads, also under ThreadSanitizer.
TSAN_TESTS := test_apointer test_apointer_warps test_apsync test_apworkloads test_gdm_watch

LIB_SRC  := $(filter-out c_model/cli/% c_model/test/% c_model/gdm/interpose.c,\
  $(wildcard c_model/*/*.c))
CLI_SRC  := $(wildcard c_model/cli/*.c)
TEST_SRC := $(wildcard c_model/test/test_*.c)
RTL_SRC  := $(wildcard rtl/*.sv rtl/*.svh rtl/*/*.sv rtl/*/*.svh) sim/gmmu.f
TB_SRC   := $(wildcard tb/system/*.cpp tb/system/*.h tb/system/*.sv)

obj = $(patsubst %.c,$(B)/$(1)/%.o,$(2))

.DEFAULT_GOAL := help
.PHONY: help setup all built run test lint rtl memory-rtl waves bench synth area demo release-v \
  inst fpga formal coverage results results-quick docs pictures release-check mutate \
  survivors report regress clean clean-rtl
.SECONDARY:

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## /\1\t/p; s/^##  /\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 15

setup:
	@scripts/setup.sh

all: $(B)/bin/gmmu $(TEST_SRC:c_model/test/%.c=$(B)/test/%) ## build C library, program and tests

# ------------------------------------------------------------------ C
$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CSTD) $(CFLAGS) -c $< -o $@
$(B)/asan/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CSTD) $(ASAN) -c $< -o $@
$(B)/lib/libgmmu.a: $(call obj,obj,$(LIB_SRC))
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^
$(B)/lib/libgmmu-asan.a: $(call obj,asan,$(LIB_SRC))
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^
$(B)/bin/gmmu: $(call obj,obj,$(CLI_SRC) c_model/gdm/interpose.c) $(B)/lib/libgmmu.a
	@mkdir -p $(@D)
	@$(CC) -o $@ $^ $(LDLIBS)
$(B)/bin/gmmu-asan: $(call obj,asan,$(CLI_SRC)) $(call obj,obj,c_model/gdm/interpose.c) \
  $(B)/lib/libgmmu-asan.a
	@mkdir -p $(@D)
	@$(CC) $(ASAN) -o $@ $^ $(LDLIBS)
$(B)/test/%: $(B)/obj/c_model/test/%.o $(B)/obj/c_model/test/watchdog.o $(B)/lib/libgmmu.a
	@mkdir -p $(@D)
	@$(CC) -o $@ $^ -lcmocka $(LDLIBS)
$(B)/test-asan/%: $(B)/asan/c_model/test/%.o $(B)/asan/c_model/test/watchdog.o \
  $(B)/lib/libgmmu-asan.a
	@mkdir -p $(@D)
	@$(CC) $(ASAN) -o $@ $^ -lcmocka $(LDLIBS)
$(B)/tsan/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CSTD) $(TSAN) -c $< -o $@
$(B)/lib/libgmmu-tsan.a: $(call obj,tsan,$(LIB_SRC))
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^
$(B)/test-tsan/%: $(B)/tsan/c_model/test/%.o $(B)/tsan/c_model/test/watchdog.o \
  $(B)/lib/libgmmu-tsan.a
	@mkdir -p $(@D)
	@$(CC) $(TSAN) -o $@ $^ -lcmocka $(LDLIBS)
# Programs that watch writes to the sources of copies replace free, munmap, read, ... (docs/gdm.md).
$(B)/test/test_gdm_watch $(B)/test/test_gdm_watch_rules $(B)/test/test_gdm_random: \
  $(call obj,obj,c_model/gdm/interpose.c)
$(B)/test-asan/test_gdm_watch $(B)/test-asan/test_gdm_watch_rules \
  $(B)/test-asan/test_gdm_random: \
  $(call obj,obj,c_model/gdm/interpose.c)
$(B)/test-tsan/test_gdm_watch: $(call obj,obj,c_model/gdm/interpose.c)
$(B)/bench/%: $(B)/obj/tb/bench/%.o $(B)/lib/libgmmu.a
	@mkdir -p $(@D)
	@$(CC) -o $@ $^ $(LDLIBS)
-include $(shell find $(B)/obj $(B)/asan $(B)/tsan -name '*.d' 2>/dev/null)

tests-c: $(B)/bin/gmmu-asan $(TEST_SRC:c_model/test/%.c=$(B)/test/%) \
  $(TEST_SRC:c_model/test/%.c=$(B)/test-asan/%) $(TSAN_TESTS:%=$(B)/test-tsan/%)

# ------------------------------------------------------------------ RTL
# One executable per RTL configuration: build/rtl/KEY/gmmu_rtl, KEY from the RTL parameters. The
# recipe asks the gmmu program for key and parameters, so presets are read in one place only.
RTL_TOP   ?= rtl
CLI_OBJ   := $(filter-out %/main.o,$(call obj,obj,$(CLI_SRC)))

rtl: $(B)/bin/gmmu $(CLI_OBJ) $(B)/lib/libgmmu.a ## verilate one configuration: PRESET=mosaic
##  SET="NumSms=4" WAVES=1
	@scripts/build_rtl.sh "$(PRESET)" "$(SET)" "$(WAVES)" "$(CURDIR)" "$(RTL_TOP)"

memory-rtl: $(B)/bin/gmmu $(B)/lib/libgmmu.a ## verilate one configuration's memory channels, for
##  gmmu run --memory-rtl: PRESET=mask SET="MemChannels=4"
	@scripts/build_memory_rtl.sh "$(PRESET)" "$(SET)" "$(CURDIR)" "$(RTL_TOP)"

# ------------------------------------------------------------------ main job
run: setup ## the main job: real kernels through the RTL, every answer checked
	@scripts/run_default.py --make "$(MAKE)" --seed $(SEED) --jobs $(JOBS)

# A share of the tests for one of several machines (SHARD=2/5), results also as JUnit XML
# (JUNIT=file).
TEST := scripts/test.py --jobs $(JOBS) --slow $(SLOW) --times $(B)/test-times.csv \
  $(if $(SHARD),--shard $(SHARD)) $(if $(JUNIT),--junit $(JUNIT))

# What tests are made of; by a make of its own, which sees compiler and ccache that setup brought.
built: setup
	@+$(MAKE) -s --no-print-directory -j $(JOBS) all tests-c

test: built ## all tests; ends with "N passed, N failed", with skips "N passed, N
##  failed, N skipped"
	@scripts/setup.sh synth waves formal docs simt
	@$(TEST) tb/tests.list

regress: built ## tests, long regressions, seeds that found a bug; goes on where it was
##  broken off: SHARD=2/5 JUNIT=file FRESH=1
	@scripts/setup.sh synth waves formal docs simt
	@$(if $(FRESH),rm -f $(B)/regress.jsonl)
	@$(TEST) --resume $(B)/regress.jsonl tb/tests.list sim/regress.list sim/seeds.list

lint: setup $(B)/bin/gmmu ## Verilator -Wall, Icarus, Yosys and slang on rtl/, repository checks
	@scripts/lint.sh

waves: setup all ## a short run with waves: build/waves/gmmu.fst, GTKWave save file, picture
	@scripts/setup.sh waves
	@scripts/waves.sh

bench: setup all $(B)/bench/bench_policy ## speed and throughput: build/reports/bench.json
	@scripts/bench.py

report: ## the tables of the last run and bench again
	@scripts/report.py $(wildcard $(B)/reports/*.json)

synth: setup $(B)/bin/gmmu ## area and timing of each block: PRESET=mesc BLOCK=walker LIB=my.lib
##  SET="NumSms=4" PERIOD=5 TOP=module PARAM="K=V" BIT_UM2=a [fpga-small]
	@scripts/setup.sh synth
	@scripts/synth.py --preset "$(SMALL)" $(addprefix --set ,$(SET)) \
	  $(if $(BLOCK),--block $(BLOCK)) $(if $(LIB),--lib $(LIB)) $(if $(PERIOD),--period $(PERIOD)) \
	  $(if $(TOP),--top $(TOP)) $(addprefix --param ,$(PARAM)) $(if $(BIT_UM2),--bit-um2 $(BIT_UM2))

area: setup $(B)/bin/gmmu ## docs/area.md and its picture from all presets (hours; results are
##  kept): AREA="--presets mesc"
	@scripts/setup.sh area
	@scripts/area.py $(AREA)

demo: setup $(B)/lib/libgmmu.a ## the working example: two SIMT cores run programs through gmmu_axi
##  with demand paging; a memory-mapped file [SEED=1]
	@tb/softcore/run.sh 1 $(SEED)
	@scripts/setup.sh simt
	@tb/simt/system/demo.sh $(SEED)

release-v: ## gmmu_axi (TOP=gmmu_native), gmmu_top and gmmu_page_merge as one Verilog-2001 file,
##  build/release/gmmu.v: PARAM="NumPorts=2 AxiDataW=64"
	@scripts/setup.sh only release
	@TOP="$(or $(TOP),gmmu_axi)" scripts/release_v.sh $(B)/release/gmmu.v $(PARAM)

inst: ## prints an instantiation with its wires: TOP=gmmu_axi|gmmu_native|gmmu_page_merge
##  PARAM="NumPorts=2" RELEASE=1 (for make release-v's file)
	@scripts/inst.py --top "$(or $(TOP),gmmu_axi)" $(if $(RELEASE),--release) $(PARAM)

fpga: setup $(B)/bin/gmmu ## FPGA resources (iCE40, ECP5, Xilinx by Yosys), place and route on iCE40
##  and ECP5: PRESET= SET= [fpga-small]; FPGA=--quick
	@scripts/setup.sh fpga
	@scripts/fpga.py --preset "$(SMALL)" $(addprefix --set ,$(SET)) $(FPGA)

docs: setup ## the pages of docs/ as a static site with search: build/site
	@scripts/setup.sh docs
	@scripts/docs.sh

pictures: setup ## draws docs/img again: blocks and state machines from the RTL, timing diagrams
##  from recorded runs
	@scripts/setup.sh docs
	@scripts/slang.sh --program scripts/block_diagrams.py
	@scripts/slang.sh --program scripts/state_machines.py
	@scripts/timing_diagrams.py
	@scripts/workflow_pages.py
	@scripts/pictures.sh

release-check: lint ## make lint, no page older than the RTL it is about, and a version that is
##  ready for its tag
	@scripts/page_age.py --strict
	@scripts/version.py --release

mutate: built ## 2,000 generated bugs in RTL and in C and those of tb/mutants, one build
##  for all of each kind; goes on where it stopped: MUTATE="--groups c"
	@scripts/mutate.py --jobs $(JOBS) --recompile $(MUTATE)

survivors: setup ## which bugs that `make mutate` left change nothing, by proof:
##  SURVIVORS="--only gmmu_lru"
	@scripts/setup.sh formal
	@scripts/mutate_equal.py $(SURVIVORS)

formal: setup ## proofs of blocks for runs of any length, and planted bugs that they refute:
##  PROOF=lru
	@scripts/setup.sh formal
	@scripts/formal.py --bugs $(PROOF)

coverage: setup ## lines, branches and toggles that the tests reach, per module (hours):
##  COVERAGE="--only axi"
	@scripts/setup.sh coverage
	@scripts/coverage.py --jobs $(JOBS) $(COVERAGE)
results: setup all ## MASK, Mosaic and MESC with all parts (hours), and GDM; goes on where it was:
##  RESULTS="papers gdm", FULL=1 larger applications, more seeds and pairs of the sweeps (for a
##  farm), SLURM=100 that many jobs of a Slurm cluster
	@$(if $(filter papers,$(or $(RESULTS),papers)),\
	  JOBS=$(JOBS) SLURM=$(SLURM) scripts/workflow.sh $(or $(PLAN),$(if $(FULL),full,pages)))
	@$(if $(filter gdm,$(or $(RESULTS),gdm)),scripts/run_gdm.py all)

results-quick: setup all ## a sample of MASK, Mosaic, MESC on the calibrated system, below 20
##  minutes, goes on where it was: build/reports/workflow/quick.html, .csv
	@JOBS=$(JOBS) scripts/workflow.sh quick

clean: ## remove everything that was built
	rm -rf $(B)
